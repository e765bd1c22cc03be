"""`ufunc.at` and `ufunc.reduceat` for functions without a scatter of their own: element by element."""
import math

from _jitlens import core, prims as p

from . import _low
from .._indexing import at_update, index as getitem


def at(function, a, indices, b):
    import jax
    core.check_arraylike(f"{function.__name__}.at", a, *(() if b is None else (b,)))
    others = () if b is None else (b,)
    ones = [core.full_like(x, 1, shape=()) for x in (a, *others)]
    dtype = jax.eval_shape(function._func, *ones).dtype
    a = core.convert(core.asarray(a), dtype)
    others = tuple(core.convert(core.asarray(x), dtype) for x in others)
    if not isinstance(indices, tuple):
        if isinstance(indices, list):
            from .._indexing import _no_list
            _no_list(indices)
        indices = (indices,)
    if not indices:
        return a
    shapes = [core.shape(i) for i in indices if not isinstance(i, slice)]
    shape = shapes and core.broadcast_shapes(*shapes)
    if not shape:
        return at_update(a, indices, function(getitem(a, indices), *others), "scatter")
    count = math.prod(shape)
    if others:
        rest = others[0].shape[len(shape):]
        others = (_low.reshape(_low.broadcast_to(others[0], shape + rest), (count,) + rest),)
    indices = [i if isinstance(i, slice) else _low.reshape(_low.broadcast_to(core.asarray(i), shape), (count,)) for i in indices]

    def step(carry, x):
        i, a = carry
        place = tuple(one if isinstance(one, slice) else one[i] for one in indices)
        a = at_update(a, place, function(getitem(a, place), *(other[i] for other in others)), "scatter")
        return (i + 1, a), x
    (_, a), _ = jax.lax.scan(step, (0, a), None, len(indices[0]))
    return a


def reduceat(function, a, indices, axis, dtype):
    import jax
    from ._index import take
    from ._join import append
    name = function.__name__
    core.check_arraylike(f"{name}.reduceat", a, indices)
    a, indices = core.asarray(a), core.asarray(indices)
    if a.ndim == 0:
        raise ValueError(f"reduceat: a must have 1 or more dimension, got a.shape={a.shape}")
    if indices.ndim != 1:
        raise ValueError(f"reduceat: indices must be one-dimensional, got indices.shape={indices.shape}")
    if axis is None or isinstance(axis, (tuple, list)):
        raise ValueError("reduceat requires a single integer axis.")
    axis = core.canonical_axis(axis, a.ndim)
    out = take(a, indices, axis=axis)
    places = _low.expand_dims(append(indices, a.shape[axis]), [i for i in range(out.ndim) if i != axis])
    starts = _low.slice_in_dim(places, 0, places.shape[axis] - 1, axis=axis)
    ends = _low.slice_in_dim(places, 1, places.shape[axis], axis=axis)

    def step(i, out):
        following = function(out, take(a, _low.expand_dims(core.asarray(i), (0,)), axis=axis))
        return _low.where((i > starts) & (i < ends), following, out)
    return jax.lax.fori_loop(0, a.shape[axis], step, out)
