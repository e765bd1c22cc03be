"""`jax.interpreters.ad`: derivative rules of primitives."""
from functools import partial

from _jitlens import core, prims as p

Zero = core.Zero
UndefinedPrimal = core.UndefinedPrimal
JVPTracer = core.tracer_class("JVPTracer")
primitive_jvps = core.rule_table("jvp")
primitive_transposes = core.rule_table("transpose")

_UNMODELLED = frozenset("JVPTrace add_jaxvals_p jvp linearize".split())


def is_undefined_primal(x):
    return type(x) is UndefinedPrimal


def zeros_like_aval(aval):
    return core.zeros_of(aval)


def instantiate_zeros(tangent):
    return core.zeros_of(tangent.aval) if type(tangent) is Zero else tangent


def add_jaxvals(x, y):
    return p.add_any(x, y)


def add_tangents(x, y):
    if type(x) is Zero:
        return y
    return x if type(y) is Zero else add_jaxvals(x, y)


def _zero_tangent(x):
    aval = core.abstractify(x)
    return Zero(core.ShapedArray(aval.shape, core.tangent_dtype(aval.dtype)))


# ----------------------------------------------------------------------------------------------------- forward rules

def defjvp(primitive, *jvprules):
    def rule(primals, tangents, **params):
        out = primitive.bind(*primals, **params)
        total = _zero_tangent(out)
        for jvp_rule, t in zip(jvprules, tangents):
            if jvp_rule is not None and type(t) is not Zero:
                total = add_tangents(total, jvp_rule(t, *primals, **params))
        return out, total

    assert not primitive.multiple_results
    primitive_jvps[primitive] = rule


def defjvp2(primitive, *jvprules):
    defjvp_with_output = jvprules

    def rule(primals, tangents, **params):
        out = primitive.bind(*primals, **params)
        total = _zero_tangent(out)
        for jvp_rule, t in zip(defjvp_with_output, tangents):
            if jvp_rule is not None and type(t) is not Zero:
                total = add_tangents(total, jvp_rule(t, out, *primals, **params))
        return out, total

    assert not primitive.multiple_results
    primitive_jvps[primitive] = rule


def _linear_jvp(primitive, primals, tangents, **params):
    out = primitive.bind(*primals, **params)
    if all([type(t) is Zero for t in tangents]):
        return (out, [_zero_tangent(x) for x in out]) if primitive.multiple_results else (out, _zero_tangent(out))
    return out, primitive.bind(*[instantiate_zeros(t) for t in tangents], **params)


def deflinear(primitive, transpose_rule):
    def transpose(cotangent, *args, **params):
        return [Zero(a.aval) for a in args] if type(cotangent) is Zero else transpose_rule(cotangent, **params)

    primitive_jvps[primitive] = partial(_linear_jvp, primitive)
    primitive_transposes[primitive] = transpose


def deflinear2(primitive, transpose_rule):
    def transpose(cotangent, *args, **params):
        return [Zero(a.aval) for a in args] if type(cotangent) is Zero else transpose_rule(cotangent, *args, **params)

    primitive_jvps[primitive] = partial(_linear_jvp, primitive)
    primitive_transposes[primitive] = transpose


def defbilinear(prim, lhs_rule, rhs_rule):
    defjvp(prim, lambda g, x, y, **params: prim.bind(g, y, **params), lambda g, x, y, **params: prim.bind(x, g, **params))

    def transpose(cotangent, x, y, **params):
        if is_undefined_primal(x):
            return (Zero(x.aval) if type(cotangent) is Zero else lhs_rule(cotangent, x, y, **params)), None
        return None, (Zero(y.aval) if type(cotangent) is Zero else rhs_rule(cotangent, x, y, **params))

    primitive_transposes[prim] = transpose


def get_primitive_transpose(p):
    try:
        return primitive_transposes[p]
    except KeyError:
        raise NotImplementedError(f"Transpose rule (for reverse-mode differentiation) for '{p}' not implemented") from None


def __getattr__(name):
    if name in _UNMODELLED:
        return core.unmodelled("jax.interpreters.ad." + name)
    from .. import _removed
    raise AttributeError(_removed.missing("jax.interpreters.ad", name))
