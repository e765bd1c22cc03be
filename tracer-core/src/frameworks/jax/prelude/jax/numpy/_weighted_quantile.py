"""The quantile method `inverted_cdf`, the only one with weights."""
from _jitlens import core, prims as p

from . import _low
from ._low import where as _where
from ._nan_reductions import cumsum
from ._reductions import any, sum


def checked_weights(a, weights, axis, method):
    if weights.dtype.kind == "c":
        raise ValueError("Weights cannot be complex types.")
    if method != "inverted_cdf":
        raise NotImplementedError(f"{method} doesn't support weights. Only method 'inverted_cdf' supports weights.")
    a, weights = core.promote_dtypes_inexact(a, weights)
    if weights.shape != a.shape:
        if axis is None:
            raise ValueError("Weights shape must match 'a' shape when axis is None.")
        axes = _low.axis_tuple(axis, a.ndim)
        if weights.shape != tuple(a.shape[i] for i in axes):
            raise ValueError(f"Weights shape {weights.shape} must match reduction axes {tuple(a.shape[i] for i in axes)}")
        weights = _low.broadcast_in_dim(weights, a.shape, axes)
    return a, weights


def inverted_cdf(a, weights, q, axis, keepdims, skip_nan):
    """The first value at which the cumulative weight reaches the quantile."""
    size = a.shape[axis]
    rank = q.ndim
    if skip_nan:
        a = _where(p.ne(a, a), float("nan"), a)
    else:
        a = _where(any(p.ne(a, a), axis=axis, keepdims=True), float("nan"), a)
    if weights is None:
        a, = p.sort(a, dimension=axis, is_stable=True, num_keys=1)
        weights = core.full_like(a, 1.0)
    else:
        a, weights = p.sort(a, weights, dimension=axis, is_stable=True, num_keys=1)
    zeros = core.full_like(weights, 0)
    bad = p.or_(p.lt(weights, zeros), p.ne(weights, weights))
    missing = p.ne(a, a)
    clean = _low.select(p.or_(bad, missing), zeros, weights)
    cumulative = cumsum(clean, axis=axis)
    total = _low.index_in_dim(cumulative, -1, axis=axis, keepdims=keepdims)
    target = p.mul(p.reshape(q, new_sizes=q.shape + (1,) * total.ndim), _low.expand_dims(total, tuple(range(rank))))
    aligned = target if keepdims else _low.expand_dims(target, (axis + rank,))
    below = _low.expand_dims(cumulative, tuple(range(rank))) < aligned
    index_dtype = core.default_int()
    place = sum(core.convert(below, index_dtype), axis=axis + rank, keepdims=keepdims)
    if skip_nan:
        valid = sum(p.not_(missing), axis=axis, dtype=q.dtype, keepdims=keepdims)
    else:
        valid = core.full_like(total, size, q.dtype)
    last = core.convert(p.sub(valid, core.scalar_like(valid, 1)), index_dtype)
    last = core.convert(_low.expand_dims(last, tuple(range(rank))), place.dtype)
    place = p.max(core.scalar_like(place, 0), p.min(*_low.broadcast_arrays(place, last)))
    result = _taken(a, place, axis, rank, keepdims)
    broken = any(bad, axis=axis, keepdims=keepdims)
    if skip_nan:
        broken = p.or_(broken, p.eq(valid, core.full_like(valid, 0)))
    else:
        broken = p.or_(broken, any(missing, axis=axis, keepdims=keepdims))
    return _where(_low.expand_dims(broken, tuple(range(rank))), core.full_like(result, float("nan")), result)


def _taken(a, place, axis, rank, keepdims):
    from ._index import take_along_axis
    if keepdims:
        place = _low.squeeze(place, (rank + axis,))
    if rank == 0:
        result = _low.squeeze(take_along_axis(a, _low.expand_dims(place, (axis,)), axis=axis), (axis,))
    else:
        order = [*range(rank, rank + axis), *range(rank), *range(rank + axis, place.ndim)]
        result = take_along_axis(a, _low.transpose(place, order), axis=axis)
        result = _low.transpose(result, [order.index(i) for i in range(len(order))])
    return _low.expand_dims(result, (rank + axis,)) if keepdims else result
