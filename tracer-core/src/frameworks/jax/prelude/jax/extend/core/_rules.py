"""How the engine asks a program's own primitive for its rules: it gives and gets lists, with None for a zero tangent; rules get tuples, as
from JAX, and a list of cotangents."""
from _jitlens import core

from ...interpreters import ad, batching
from ._primitive import Primitive

Zero = ad.Zero


def _results(primitive, found):
    return list(found) if primitive.multiple_results else [found]


def types(primitive, params, avals):
    """The rule is asked once for the same types and parameters."""
    key = (*avals, *sorted(params.items()))
    try:
        hash(key)
    except TypeError:
        return _results(primitive, primitive.abstract_eval(*avals, **params))
    found = primitive.types.get(key)
    if found is None:
        found = primitive.types[key] = _results(primitive, primitive.abstract_eval(*avals, **params))
    return found


def computed(primitive, params, args):
    return _results(primitive, primitive.impl(*args, **params))


def compiled(primitive, params, args):
    """What compiled code gives: that of the function which was lowered."""
    from ...interpreters import mlir
    lowered = mlir.lowered_function(primitive)
    if lowered is None or core.is_programs(lowered):
        return core.unknown(f"what `{primitive}` is compiled to")
    return _results(primitive, lowered(*args, **params))


def with_tangents(primitive, params, primals, tangents):
    rule = ad.primitive_jvps.get(primitive)
    if rule is None:
        raise NotImplementedError(f"Differentiation rule for '{primitive}' not implemented")
    dots = tuple([_zero_tangent(core.typeof(x)) if t is None else t for x, t in zip(primals, tangents)])
    found = rule(tuple(primals), dots, **params)
    out, tangents = found
    return [*_results(primitive, out), *_results(primitive, tangents)]


def _zero_tangent(aval):
    return Zero(core.ShapedArray(aval.shape, core.tangent_dtype(aval.dtype)))


def transposed(primitive, params, cotangents, inputs, linear):
    rule = ad.get_primitive_transpose(primitive)
    given = [ad.UndefinedPrimal(x) if is_linear else x for x, is_linear in zip(inputs, linear)]
    if any([ct is None for ct in cotangents]):
        avals = types(primitive, params, [x if is_linear else core.typeof(x) for x, is_linear in zip(inputs, linear)])
        cotangents = [_zero_tangent(aval) if ct is None else ct for aval, ct in zip(avals, cotangents)]
    found = rule(cotangents if primitive.multiple_results else cotangents[0], *given, **params)
    return [None] * len(inputs) if found is None else list(found)


def batched(primitive, params, args, dims, size, name):
    args, dims = tuple(args), tuple(dims)
    rule = batching.fancy_primitive_batchers.get(primitive)
    if rule is not None:
        found = rule(batching.AxisData(name, size, None, None), args, dims, **params)
    else:
        rule = batching.primitive_batchers.get(primitive)
        if rule is None:
            raise NotImplementedError(f"Batching rule for '{primitive}' not implemented")
        found = rule(args, dims, **params)
    out, dims = found
    out = _results(primitive, out)
    dims = list(dims) if primitive.multiple_results else [dims]
    return [*out, *[None if dim is batching.not_mapped else dim for dim in dims]]


def shown(primitive, params):
    return [(name, _text(value)) for name, value in sorted(params.items())]


def _text(value):
    if type(value) is tuple:
        inner = ", ".join([_text(x) for x in value])
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if callable(value) and not isinstance(value, type) and hasattr(value, "__name__"):
        return value.__name__
    return str(value)
