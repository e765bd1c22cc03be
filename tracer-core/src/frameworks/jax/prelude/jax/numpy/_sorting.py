"""Sorting, searching and the places of extremes."""
import math
import operator

from _jitlens import core, prims as p

from . import _low
from ._creation import asarray
from ._manipulate import ravel, swapaxes


def _stable(stable):
    """Whether the order of equals is kept, as the compiler takes it: a truth and nothing else."""
    if stable is None:
        raise TypeError("get(): incompatible function arguments. The following argument types are supported: value: bool")
    return stable


def _sort_arguments(name, kind, order):
    if kind is not None:
        raise TypeError(f"'kind' argument to {name} is not supported. Use stable=True or stable=False to specify sort stability.")
    if order is not None:
        raise TypeError(f"'order' argument to {name} is not supported.")


@core.jit(static_argnames=("axis", "kind", "order", "stable", "descending"))
def sort(a, axis=-1, *, kind=None, order=None, stable=True, descending=False):
    a = core.arraylike("sort", a)
    _sort_arguments("sort", kind, order)
    if axis is None:
        a, axis = ravel(a), 0
    axis = core.canonical_axis(axis, a.ndim)
    result, = p.sort(a, dimension=axis, is_stable=_stable(stable), num_keys=1)
    return p.rev(result, dimensions=(axis,)) if descending else result


@core.jit(static_argnames=("axis", "kind", "order", "stable", "descending", "dtype"))
def argsort(a, axis=-1, *, kind=None, order=None, stable=True, descending=False, dtype=None):
    a = core.arraylike("argsort", a)
    _sort_arguments("argsort", kind, order)
    if axis is None:
        a, axis = ravel(a), 0
    axis = core.canonical_axis(axis, a.ndim)
    dtype = core.default_int() if dtype is None else core.user_dtype(dtype, "argsort")
    places = _low.broadcasted_iota(dtype, a.shape, axis)
    if descending and stable:
        a, places = p.rev(a, dimensions=(axis,)), p.rev(places, dimensions=(axis,))
    _, indices = p.sort(a, places, dimension=axis, is_stable=_stable(stable), num_keys=1)
    return p.rev(indices, dimensions=(axis,)) if descending else indices


@core.jit
def sort_complex(a):
    a = core.arraylike("sort_complex", a)
    a, = p.sort(a, dimension=core.canonical_axis(-1, a.ndim), is_stable=True, num_keys=1)
    return core.convert(a, core.to_complex_dtype(a.dtype))


@core.jit(static_argnames=("axis",))
def lexsort(keys, axis=-1):
    keys = tuple([keys[i] for i in range(len(keys))]) if core.is_array(keys) and core.ndim(keys) else tuple(keys)
    core.check_arraylike("lexsort", *keys)
    keys = [core.asarray(key) for key in keys]
    if not keys:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    if len({key.shape for key in keys}) > 1:
        raise ValueError("all keys need to be the same shape")
    if keys[0].ndim == 0:
        return core.full((), 0, core.default_int())
    axis = core.canonical_axis(axis, keys[0].ndim)
    places = _low.broadcasted_iota(core.default_int(), keys[0].shape, axis)
    return p.sort(*keys[::-1], places, dimension=axis, is_stable=True, num_keys=len(keys))[-1]


def _top_k(x, k):
    return p.top_k(x, k=k, axis=x.ndim - 1)


def _lowest(x, k):
    """(values and indices) of `top_k` of the negated values; unsigned ones are shifted so that zero negates."""
    return _top_k(-(x + 1) if _low.is_kind(x.dtype, "unsigned") else -x, k)


@core.jit(static_argnames=("kth", "axis"))
def partition(a, kth, axis=-1):
    a = core.arraylike("partition", a)
    if a.dtype.kind == "c":
        raise NotImplementedError("jnp.partition for complex dtype is not implemented.")
    axis = core.canonical_axis(axis, a.ndim)
    kth = core.canonical_axis(kth, a.shape[axis])
    a = swapaxes(a, axis, -1)
    lowest = -_lowest(a, kth + 1)[0]
    if _low.is_kind(a.dtype, "unsigned"):
        lowest = lowest - 1
    highest = _top_k(a, a.shape[-1] - kth - 1)[0]
    return swapaxes(p.concatenate(lowest, highest, dimension=a.ndim - 1), -1, axis)


@core.jit(static_argnames=("kth", "axis"))
def argpartition(a, kth, axis=-1):
    import jax
    from .._indexing import at_update
    a = core.arraylike("partition", a)
    if a.dtype.kind == "c":
        raise NotImplementedError("jnp.argpartition for complex dtype is not implemented.")
    axis = core.canonical_axis(axis, a.ndim)
    kth = core.canonical_axis(kth, a.shape[axis])
    a = swapaxes(a, axis, -1)
    lowest = _lowest(a, kth + 1)[1]

    def clear(x, i):
        return at_update(x, i, 0, "scatter")
    for _ in range(a.ndim - 1):
        clear = jax.vmap(clear)
    rest = clear(core.full(a.shape, 1.0), lowest)
    highest = _top_k(rest, a.shape[-1] - kth - 1)[1]
    return swapaxes(p.concatenate(lowest, highest, dimension=a.ndim - 1), -1, axis)


def _extreme(name, primitive, a, axis, out, keepdims):
    a = core.arraylike(name, a)
    if out is not None:
        raise NotImplementedError(f"The 'out' argument to jnp.{name} is not supported.")
    if axis is None:
        dims, a, axis = range(a.ndim), ravel(a), 0
    else:
        axis = operator.index(axis)
        dims = (axis,)
    if a.shape[axis] == 0:
        raise ValueError(f"attempt to get {name} of an empty sequence")
    core.check_ordered(name, a)
    result = primitive(a, axes=(core.canonical_axis(axis, a.ndim),), index_dtype=core.default_int())
    return _low.expand_dims(result, dims) if keepdims else result


def argmax(a, axis=None, out=None, keepdims=None):
    return _extreme("argmax", p.argmax, a, axis, out, bool(keepdims))


def argmin(a, axis=None, out=None, keepdims=None):
    return _extreme("argmin", p.argmin, a, axis, out, bool(keepdims))


def _nan_extreme(find, fill, a, axis, keepdims):
    from ._reductions import all
    if not _low.is_kind(a.dtype, "inexact"):
        return find(a, axis=axis, keepdims=keepdims)
    missing = p.ne(a, a)
    found = find(_low.where(missing, fill, a), axis=axis, keepdims=keepdims)
    return _low.where(all(missing, axis=axis, keepdims=keepdims), -1, found)


@core.jit(static_argnames=("axis", "keepdims"))
def _nanargmax(a, axis=None, keepdims=False):
    return _nan_extreme(argmax, float("-inf"), a, axis, keepdims)


@core.jit(static_argnames=("axis", "keepdims"))
def _nanargmin(a, axis=None, keepdims=False):
    return _nan_extreme(argmin, float("inf"), a, axis, keepdims)


def _nan_argument(name, a, out):
    if out is not None:
        raise NotImplementedError(f"The 'out' argument to jnp.{name} is not supported.")
    return core.arraylike(name, a)


def nanargmax(a, axis=None, out=None, keepdims=None):
    return _nanargmax(_nan_argument("nanargmax", a, out), None if axis is None else operator.index(axis), keepdims=bool(keepdims))


def nanargmin(a, axis=None, out=None, keepdims=None):
    return _nanargmin(_nan_argument("nanargmin", a, out), None if axis is None else operator.index(axis), keepdims=bool(keepdims))


@core.jit(static_argnames=("side", "method"))
def searchsorted(a, v, side="left", sorter=None, *, method="scan"):
    from .._indexing import index
    if sorter is None:
        a, v = core.arraylike("searchsorted", a, v)
    else:
        a, v, sorter = core.arraylike("searchsorted", a, v, sorter)
    if a.ndim != 1:
        raise ValueError("a should be 1-dimensional")
    a, v = core.promote_dtypes(a, v)
    if sorter is not None:
        a = index(a, sorter)
    if side not in ("left", "right"):
        raise ValueError(f"invalid argument side={side!r}, expected 'left' or 'right'")
    if method not in _METHODS:
        raise ValueError(f"invalid argument method={method!r}, expected one of {list(_METHODS)}")
    dtype = core.canonical_dtype("int32")
    if method == "sort":
        return _searchsorted_sort_impl(a, v, side=side, dtype=dtype)
    if method == "compare_all":
        return _searchsorted_compare_all_impl(a, v, side=side, dtype=dtype)
    return _searchsorted_scan_impl(a, v, side=side, dtype=dtype, unrolled=method == "scan_unrolled")


_METHODS = ("compare_all", "scan", "scan_unrolled", "sort")


def _keys(x):
    """What sorting compares: floats with one zero and one NaN, complex numbers by their parts."""
    if x.dtype.kind == "c":
        return [_keys(p.real(x))[0], _keys(p.imag(x))[0]]
    if not _low.is_kind(x.dtype, "floating"):
        return [x]
    key = p.select_n(p.eq(x, core.full_like(x, 0, shape=())), x, core.full_like(x, 0))
    return [p.select_n(p.ne(x, x), key, core.full_like(key, float("nan")))]


def _comes_before(x, y, last):
    """`x` before `y` in the order of sorting, with the primitive `last` deciding the last key."""
    x_keys, y_keys = _keys(x), _keys(y)
    before = last(x_keys[-1], y_keys[-1])
    for a, b in zip(x_keys[-2::-1], y_keys[-2::-1]):
        before = p.or_(p.lt_to(a, b), p.and_(p.eq_to(a, b), before))
    return before


@core.jit(static_argnames=("side", "dtype", "unrolled"))
def _searchsorted_scan_impl(sorted_arr, query, side, dtype, unrolled):
    import jax
    from .._indexing import index
    count = sorted_arr.shape[0]
    if count == 0:
        return core.full(query.shape, 0, dtype)
    if query.ndim > 0:
        def one(a, q):
            return _searchsorted_scan_impl(a, q, side=side, dtype=dtype, unrolled=unrolled)
        return jax.vmap(one, in_axes=(None, 0))(sorted_arr, query)

    def step(state, _):
        low, high = state
        middle = low + (high - low) // 2
        left = _comes_before(query, index(sorted_arr, middle), p.le_to if side == "left" else p.lt_to)
        return (p.select_n(left, middle, low), p.select_n(left, high, middle)), ()
    levels = math.ceil(math.log2(count + 1))
    unsigned = core.canonical_dtype("uint32")
    start = (core.numpy_scalar(0, unsigned), core.numpy_scalar(count, unsigned))
    (_, high), _ = jax.lax.scan(step, start, (), length=levels, unroll=levels if unrolled else 1)
    return core.convert(high, dtype)


@core.jit(static_argnames=("side", "dtype"))
def _searchsorted_sort_impl(sorted_arr, query, side, dtype):
    from .._indexing import at_update, index
    int32 = core.canonical_dtype("int32")

    def rank(x):
        places = _low.iota(int32, x.shape[0])
        zeros = core.full_like(places, 0)
        return at_update(zeros, p.sort(x, places, dimension=0, is_stable=True, num_keys=1)[1], places, "scatter")
    flat = ravel(query)
    if side == "left":
        place = index(rank(p.concatenate(flat, sorted_arr, dimension=0)), slice(None, query.size))
    else:
        place = index(rank(p.concatenate(sorted_arr, flat, dimension=0)), slice(sorted_arr.size, None))
    return core.convert(_low.reshape(p.sub(place, rank(flat)), query.shape), dtype)


@core.jit(static_argnames=("side", "dtype"))
def _searchsorted_compare_all_impl(sorted_arr, query, side, dtype):
    import jax
    from ._reductions import sum

    def before(x, y):
        return _comes_before(x, y, p.lt_to if side == "left" else p.le_to)
    return sum(jax.vmap(before, in_axes=(0, None))(sorted_arr, query), dtype=dtype, axis=0)


@core.jit(static_argnames=("right", "method"))
def digitize(x, bins, right=False, *, method=None):
    from .._indexing import index
    x, bins_array = core.arraylike("digitize", x, bins)
    right = core.concrete_bool(right, "right argument of jnp.digitize()")
    if bins_array.ndim != 1:
        raise ValueError(f"digitize: bins must be a 1-dimensional array; got bins={bins}")
    count = bins_array.shape[0]
    if count == 0:
        return core.full_like(x, 0, core.canonical_dtype("int32"))
    rest = {"side": "left" if right else "right"}
    if method is not None:
        rest["method"] = method
    rising = index(bins_array, -1) >= index(bins_array, 0)
    return _low.where(rising, searchsorted(bins_array, x, **rest),
                      count - searchsorted(index(bins_array, slice(None, None, -1)), x, **rest))
