"""`unique` and set operations. Their sizes depend on values: known inputs, or a static `size`."""
import math

from _jitlens import core, prims as p

from . import _low
from ._creation import arange, asarray, empty, full, full_like, ones, zeros
from ._index import nonzero
from ._join import append, concatenate
from ._manipulate import moveaxis, ravel, reshape_array
from ._sorting import lexsort, sort

where = _low.where
_HINT = ("To make jnp.unique() compatible with JIT and other transforms, you can specify a concrete value for the size argument,"
         " which will determine the output size.")


def _sorted_mask(aux, equal_nan):
    from ._elementwise import isnan
    from ._reductions import any
    if aux.dtype.kind == "c":
        aux = where(isnan(aux), core.scalar_like(aux, float("nan")), aux)
    size, rest = aux.shape[0], math.prod(aux.shape[1:])
    if rest == 0:
        size, order = 1, zeros(1, dtype=int)
    else:
        order = lexsort(reshape_array(aux, (size, rest)).T[::-1])
    aux = aux[order]
    if not aux.size:
        return aux, zeros(size, dtype=bool), order
    mask = ones(size, dtype=bool)
    after, before = aux[1:], aux[:-1]
    changed = p.ne(after, before)
    if equal_nan and _low.is_kind(aux.dtype, "inexact"):
        changed = changed & ~(isnan(after) & isnan(before))
    return aux, mask.at[1:].set(any(changed, tuple(range(1, aux.ndim)))), order


@core.jit(static_argnames=("axis", "equal_nan"))
def _unique_sorted_mask(ar, axis, equal_nan):
    return _sorted_mask(moveaxis(ar, axis, 0), equal_nan)


def _unique(ar, axis, return_index=False, return_inverse=False, return_counts=False, equal_nan=True, size=None, fill_value=None,
            return_true_size=False):
    axis = core.canonical_axis(axis, ar.ndim)
    if ar.shape[axis] == 0 and size and fill_value is None:
        raise ValueError("jnp.unique: for zero-sized input with nonzero size argument, fill_value must be specified")
    aux, mask, order = _unique_sorted_mask(ar, axis, equal_nan)
    if size is None:
        ind = core.concrete(mask, "The error arose in jnp.unique(). " + _HINT)
    else:
        ind = nonzero(mask, size=size)[0]
    result = aux[ind] if aux.size else aux
    if size is not None and fill_value is not None:
        fill_value = core.convert(core.asarray(fill_value), result.dtype)
        if result.shape[0]:
            valid = _low.expand_dims(arange(size) < mask.sum(), tuple(range(1, result.ndim)))
            result = where(valid, result, fill_value)
        else:
            result = full_like(result, fill_value, shape=(size, *result.shape[1:]))
    found = [moveaxis(result, 0, axis)]
    if return_index:
        found.append(order[ind] if aux.size else order)
    if return_inverse:
        if aux.size:
            from ._nan_reductions import cumsum
            places = cumsum(mask) - 1
            found.append(zeros(mask.shape, dtype=int).at[order].set(places))
        else:
            found.append(zeros(ar.shape[axis], dtype=int))
    if return_counts:
        found.append(_counts(aux, mask, size, ar.shape[axis]))
    if return_true_size:
        found.append(mask.sum())
    return found[0] if len(found) == 1 else tuple(found)


def _counts(aux, mask, size, length):
    from ._differences import diff
    if not aux.size:
        return full((1,), length, dtype=int) if length else empty(0, dtype=int)
    if size is None:
        return diff(append(nonzero(mask)[0], mask.size))
    starts = nonzero(mask, size=size + 1)[0]
    return diff(starts.at[1:].set(where(starts[1:], starts[1:], mask.size)))


def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, size=None,
           fill_value=None, sorted=True):
    x = core.arraylike("unique", ar)
    if size is None:
        x = core.concrete(x, "The error arose for the first argument of jnp.unique(). " + _HINT)
    else:
        size = core.concrete_index(size, "The error arose for the size argument of jnp.unique(). " + _HINT)
    shape = x.shape
    flat = axis is None
    if flat:
        x, axis = ravel(x), 0
    result = _unique(x, core.canonical_axis(axis, x.ndim), return_index, return_inverse, return_counts, equal_nan=equal_nan, size=size,
                     fill_value=fill_value)
    if return_inverse and flat:
        place = 2 if return_index else 1
        result = (*result[:place], reshape_array(result[place], shape), *result[place + 1:])
    return result


def _result(name, *fields):
    from collections import namedtuple
    return namedtuple(name, fields)


def unique_all(x, /, *, size=None, fill_value=None):
    x = core.arraylike("unique_all", x)
    return _result("_UniqueAllResult", "values", "indices", "inverse_indices", "counts")(
        *unique(x, True, True, True, equal_nan=False, size=size, fill_value=fill_value))


def unique_counts(x, /, *, size=None, fill_value=None):
    x = core.arraylike("unique_counts", x)
    return _result("_UniqueCountsResult", "values", "counts")(
        *unique(x, return_counts=True, equal_nan=False, size=size, fill_value=fill_value))


def unique_inverse(x, /, *, size=None, fill_value=None):
    x = core.arraylike("unique_inverse", x)
    return _result("_UniqueInverseResult", "values", "inverse_indices")(
        *unique(x, return_inverse=True, equal_nan=False, size=size, fill_value=fill_value))


def unique_values(x, /, *, size=None, fill_value=None):
    return unique(core.arraylike("unique_values", x), equal_nan=False, size=size, fill_value=fill_value)


@core.jit(static_argnames=("assume_unique", "invert", "method"))
def _in1d(ar1, ar2, invert, method="auto", assume_unique=False):
    from ._reductions import all, any
    from ._sorting import searchsorted
    a, b = core.promote_dtypes(*core.arraylike("in1d", ar1, ar2))
    a, b = ravel(a), ravel(b)
    if a.size == 0 or b.size == 0:
        return (ones if invert else zeros)(a.shape, dtype=bool)
    if method in ("auto", "compare_all"):
        if invert:
            return all(a[:, None] != b[None, :], -1)
        return any(a[:, None] == b[None, :], -1)
    if method == "binary_search":
        b, = p.sort(b, dimension=0, is_stable=True, num_keys=1)
        found = b[searchsorted(b, a)]
        return a != found if invert else a == found
    if method != "sort":
        raise ValueError(f"method={method!r} is not implemented; options are 'compare_all', 'binary_search', 'sort', and 'auto'")
    back = slice(None)
    if not assume_unique:
        a, back = unique(a, size=a.shape[0], return_inverse=True, fill_value=b.max())
    both, order = p.sort(concatenate([a, b]), arange(a.size + b.size), dimension=0, is_stable=True, num_keys=1)
    if invert:
        return ones(a.shape, bool).at[order[:-1]].set(both[1:] != both[:-1], mode="drop")[back]
    return zeros(a.shape, bool).at[order[:-1]].set(both[1:] == both[:-1], mode="drop")[back]


def isin(element, test_elements, assume_unique=False, invert=False, *, method="auto"):
    element, test_elements = core.arraylike("isin", element, test_elements)
    return reshape_array(_in1d(element, test_elements, invert=invert, method=method, assume_unique=assume_unique), element.shape)


def setdiff1d(ar1, ar2, assume_unique=False, *, size=None, fill_value=None):
    a, b = core.arraylike("setdiff1d", ar1, ar2)
    a, b = ravel(a), ravel(b)
    if size is None:
        core.concrete(ar1, "The error arose in setdiff1d()")
    else:
        size = core.concrete_index(size, "The error arose in setdiff1d()")
    fill_value = full_like(a, 0 if fill_value is None else fill_value, shape=())
    if a.size == 0:
        return full_like(a, fill_value, shape=size or 0)
    if not assume_unique:
        a = unique(a, size=size and a.size)
    mask = _in1d(a, b, invert=True, assume_unique=assume_unique)
    if size is None:
        return a[mask]
    if not assume_unique:
        count = a.size + 1 - (a == a[0]).sum()
        mask = where(arange(a.size) < count, mask, False)
    return where(arange(size) < mask.sum(), a[nonzero(mask, size=size)], fill_value)


def union1d(ar1, ar2, *, size=None, fill_value=None):
    a, b = core.arraylike("union1d", ar1, ar2)
    if size is None:
        a = core.concrete(a, "The error arose in union1d()")
        b = core.concrete(b, "The error arose in union1d()")
    else:
        size = core.concrete_index(size, "The error arose in union1d()")
    return unique(concatenate((a, b), axis=None), size=size, fill_value=fill_value)


def setxor1d(ar1, ar2, assume_unique=False, *, size=None, fill_value=None):
    a, b = core.arraylike("setxor1d", ar1, ar2)
    a, b = core.promote_dtypes(ravel(a), ravel(b))
    if size is not None:
        from ._sized_sets import _setxor1d_size
        return _setxor1d_size(a, b, fill_value=fill_value, assume_unique=assume_unique, size=size)
    if not assume_unique:
        a, b = unique(a), unique(b)
    both = concatenate((a, b))
    if both.size == 0:
        return both
    both = sort(both)
    flag = concatenate((True, both[1:] != both[:-1], True), axis=None)
    return both[flag[1:] & flag[:-1]]


@core.jit(static_argnames=("return_indices",))
def _intersect1d_sorted_mask(arr1, arr2, return_indices):
    both, order = concatenate((arr1, arr2)), None
    if return_indices:
        places = _low.broadcasted_iota(core.default_int(), both.shape, 0)
        both, order = p.sort(both, places, dimension=0, is_stable=True, num_keys=1)
    else:
        both = sort(both)
    return both, both[1:] == both[:-1], order


def intersect1d(ar1, ar2, assume_unique=False, return_indices=False, *, size=None, fill_value=None):
    a, b = core.promote_dtypes(*core.arraylike("intersect1d", ar1, ar2))
    a, b = ravel(a), ravel(b)
    if size is not None:
        from ._sized_sets import _intersect1d_size
        return _intersect1d_size(a, b, return_indices=return_indices, size=size, fill_value=fill_value, assume_unique=assume_unique)
    first = second = None
    if not assume_unique:
        if return_indices:
            a, first = unique(a, return_index=True)
            b, second = unique(b, return_index=True)
        else:
            a, b = unique(a), unique(b)
    both, mask, order = _intersect1d_sorted_mask(a, b, return_indices)
    common = both[:-1][mask]
    if not return_indices:
        return common
    in_a, in_b = order[:-1][mask], order[1:][mask] - a.size
    return (common, in_a, in_b) if assume_unique else (common, first[in_a], second[in_b])
