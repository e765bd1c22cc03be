"""`jnp.vectorize`, `apply_along_axis`, `apply_over_axes`, `piecewise`."""
import functools

from _jitlens import core, prims as p

from . import _low
from ._creation import asarray

def _is_name(text):
    return bool(text) and all(c == "_" or c.isalnum() for c in text)


def _arguments(side):
    """`"(n,m),(m)"` as [("n", "m"), ("m",)], None where it is malformed."""
    if not side.startswith("(") or not side.endswith(")"):
        return None
    found = []
    for argument in side[1:-1].split("),("):
        names = tuple(argument.split(",")) if argument else ()
        if not all(_is_name(name) for name in names):
            return None
        found.append(names)
    return found


def _parse_signature(signature):
    sides = [_arguments(side) for side in signature.split("->")]
    if len(sides) != 2 or None in sides:
        raise ValueError(f"not a valid gufunc signature: {signature}")
    return sides


def _note_sizes(sizes, shape, names, context, is_input):
    count = len(names)
    if is_input and len(shape) < count:
        raise ValueError(f"input with shape {shape!r} does not have enough dimensions for all core dimensions {names!r} {context}")
    if not is_input and len(shape) != count:
        raise ValueError(f"output shape {shape!r} does not match core dimensions {names!r} {context}")
    for name, size in zip(names, shape[len(shape) - count:]):
        if sizes.setdefault(name, size) != size:
            raise ValueError(f"inconsistent size for core dimension {name!r}: {size!r} vs {sizes[name]!r} {context}")


def _without(function, excluded, args, kwargs):
    """The function with the excluded arguments bound, and the others."""
    if not excluded:
        return function, args, kwargs
    fixed = [(i, args[i]) for i in sorted(e for e in excluded if isinstance(e, int)) if i < len(args)]
    fixed_kwargs = {key: value for key, value in kwargs.items() if key in excluded}

    def bound(*args, **kwargs):
        args = list(args)
        for i, value in fixed:
            args.insert(i, value)
        return function(*args, **kwargs, **fixed_kwargs)
    return (bound, [arg for i, arg in enumerate(args) if i not in excluded],
            {key: value for key, value in kwargs.items() if key not in excluded})


def _with_checked_outputs(function, sizes, names, context):
    def checked(*args):
        out = function(*args)
        outs = out if isinstance(out, tuple) else [out]
        if len(names) > 1 and not isinstance(out, tuple):
            raise TypeError(f"output must be a tuple when multiple outputs are expected, got: {out!r}\n{context}")
        if len(outs) != len(names):
            raise TypeError(f"wrong number of output arguments: expected {len(names)!r}, got {len(outs)!r} {context}")
        known = dict(sizes)
        for one, one_names in zip(outs, names):
            _note_sizes(known, core.shape(one), one_names, context, False)
        return out
    return checked


def vectorize(pyfunc, *, excluded=frozenset(), signature=None):
    if any(not isinstance(e, (str, int)) for e in excluded):
        raise TypeError(f"jax.numpy.vectorize can only exclude integer or string arguments, but excluded={excluded!r}")
    if any(isinstance(e, int) and e < 0 for e in excluded):
        raise ValueError(f"excluded={excluded!r} contains negative numbers")

    @functools.wraps(pyfunc)
    def wrapped(*args, **kwargs):
        import jax
        context = f"on vectorized function with excluded={excluded!r} and signature={signature!r}"
        function, args, kwargs = _without(pyfunc, excluded, args, kwargs)
        inputs, outputs = ([()] * len(args), None) if signature is None else _parse_signature(signature)
        nones = {i for i, arg in enumerate(args) if arg is None}
        if nones:
            if any(inputs[i] != () for i in nones):
                raise ValueError(f"Cannot pass None at locations {nones} with signature={signature!r}")
            function, args, _ = _without(function, nones, args, {})
            inputs = [names for i, names in enumerate(inputs) if i not in nones]
        args = [asarray(arg) for arg in args]
        if len(args) != len(inputs):
            raise TypeError(f"wrong number of positional arguments: expected {len(inputs)!r}, got {len(args)!r} {context}")
        sizes, shapes = {}, []
        for arg, names in zip(args, inputs):
            _note_sizes(sizes, arg.shape, names, context, True)
            shapes.append(arg.shape[:arg.ndim - len(names)])
        shape = core.broadcast_shapes(*shapes) if shapes else ()
        if outputs is not None:
            function = _with_checked_outputs(function, sizes, outputs, context)
        args = [_low.squeeze(arg, [i for i, size in enumerate(own) if size == 1]) for arg, own in zip(args, shapes)]
        expand = []
        for place in reversed(range(len(shape))):
            in_axes = []
            for own in shapes:
                i = place - len(shape) + len(own)
                in_axes.append(None if i < 0 or own[i] == 1 else 0)
            if all(axis is None for axis in in_axes):
                expand.append(place)
            else:
                function = jax.vmap(function, tuple(in_axes))
        result = function(*args)
        if not expand:
            return result
        if isinstance(result, tuple):
            return tuple(_low.expand_dims(core.asarray(r), expand) for r in result)
        return _low.expand_dims(core.asarray(result), expand)
    return wrapped


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    import jax
    arr = core.arraylike("apply_along_axis", arr)
    axis = core.canonical_axis(axis, arr.ndim)

    def function(x):
        return func1d(x, *args, **kwargs)
    for i in range(1, arr.ndim - axis):
        function = jax.vmap(function, in_axes=i, out_axes=-1)
    for _ in range(axis):
        function = jax.vmap(function, in_axes=0, out_axes=0)
    return function(arr)


def apply_over_axes(func, a, axes):
    result = core.arraylike("apply_over_axes", a)
    for axis in axes:
        b = func(result, axis)
        if b.ndim == result.ndim:
            result = b
        elif b.ndim == result.ndim - 1:
            result = _low.expand_dims(b, (axis,))
        else:
            raise ValueError("function is not returning an array of the correct shape")
    return result


def piecewise(x, condlist, funclist, *args, **kw):
    x = core.arraylike("piecewise", x)
    conditions, functions = len(condlist), len(funclist)
    if functions == conditions + 1:
        funclist = funclist[-1:] + funclist[:-1]
    elif functions == conditions:
        funclist = [0] + list(funclist)
    else:
        raise ValueError(f"with {conditions} condition(s), either {conditions} or {conditions + 1} functions are expected;"
                         f" got {functions}")
    constants = {i: f for i, f in enumerate(funclist) if not callable(f)}
    callables = frozenset((i, f) for i, f in enumerate(funclist) if callable(f))
    return _piecewise(x, asarray(condlist, dtype=bool), constants, callables, *args, **kw)


@core.jit(static_argnames=("funcs",))
def _piecewise(x, condlist, consts, funcs, *args, **kw):
    from jax import lax
    from .._indexing import index
    from ._creation import array
    from ._nan_reductions import cumsum
    from ._sorting import argmax
    functions = dict(funcs)
    first = core.full_like(index(condlist, slice(None, 1)), 0)
    which = argmax(cumsum(_low.concatenate([first, condlist], 0), 0), 0)

    def branch(i):
        if i in functions:
            return lambda x: core.convert(functions[i](x, *args, **kw), dtype)
        return lambda x: array(consts[i], dtype=dtype)
    dtype = x.dtype
    branches = [branch(i) for i in range(condlist.shape[0] + 1)]
    return vectorize(lax.switch, excluded=(1,))(which, branches, x)
