"""Set operations with a static output size, for use under transformations."""
from _jitlens import core, prims as p

from . import _low
from ._creation import arange, full, ones, zeros
from ._index import nonzero
from ._join import concatenate
from ._manipulate import ravel
from ._sets import _unique
from ._sorting import sort

where = _low.where


def _joined(a, b, a_count, b_count):
    """The first `a_count` of one and `b_count` of the other, side by side at the front of an array that holds both whole."""
    from jax import lax
    both = zeros(a.size + b.size, dtype=core.result_type(a, b))
    both = lax.dynamic_update_slice(both, a, (0,))
    return lax.dynamic_update_slice(both, b, (a_count,)), a_count + b_count


def _filled(values, count, fill_value):
    here = arange(values.shape[0]) < count
    if fill_value is not None:
        return where(here, values, fill_value)
    values = where(here, values, values.max())
    return where(arange(values.shape[0]) < count, values, values.min())


@core.jit(static_argnames=("assume_unique", "size"))
def _setxor1d_size(arr1, arr2, fill_value, *, assume_unique, size):
    if assume_unique:
        both = sort(concatenate([arr1, arr2]))
        flag = concatenate((bool(both.size), both[1:] != both[:-1], True), axis=None)
    else:
        a, a_count = _unique(ravel(arr1), axis=0, size=arr1.size, return_true_size=True)
        b, b_count = _unique(ravel(arr2), axis=0, size=arr2.size, return_true_size=True)
        both, count = _joined(a, b, a_count, b_count)
        mask = arange(both.size + 1) < count + 1
        _, both = p.sort(~mask[1:], both, dimension=0, is_stable=True, num_keys=2)
        flag = mask & concatenate((bool(both.size), both[1:] != both[:-1], False), axis=None).at[count].set(True)
    once = flag[1:] & flag[:-1]
    count = once.sum()
    if both.size:
        values = both.at[nonzero(once, size=size, fill_value=both.shape[0])[0]].get(mode="fill", fill_value=0)
    else:
        values = zeros(size, both.dtype)
    return _filled(values, count, fill_value)


@core.jit(static_argnames=("fill_value", "assume_unique", "size", "return_indices"))
def _intersect1d_size(arr1, arr2, fill_value, assume_unique, size, return_indices):
    if assume_unique:
        first, a_count = arange(arr1.size), full((), arr1.size)
        second = arange(arr2.size)
        both = concatenate([arr1, arr2])
        both, order = p.sort(both, arange(both.size), dimension=0, is_stable=True, num_keys=1)
        mask = ones(both.size, dtype=bool)
    else:
        arr1, first, a_count = _unique(arr1, 0, size=arr1.size, return_index=True, return_true_size=True, fill_value=0)
        arr2, second, b_count = _unique(arr2, 0, size=arr2.size, return_index=True, return_true_size=True, fill_value=0)
        both, count = _joined(arr1, arr2, a_count, b_count)
        mask = arange(both.size) < count
        _, both, order = p.sort(~mask, both, arange(both.size), dimension=0, is_stable=True, num_keys=2)
    twice = (both[1:] == both[:-1]) & mask[1:]
    count = twice.sum()
    if both.size:
        places = nonzero(twice, size=size, fill_value=both.size)[0]
        values = both.at[places].get(mode="fill", fill_value=0)
    else:
        places, values = arange(0), zeros(size, both.dtype)
    values = _filled(values, count, fill_value)
    if not return_indices:
        return values

    def indices(places, offset, length, original):
        found = order.at[places].get(mode="fill", fill_value=length)
        found = found if offset is None else found - offset
        found = where(arange(found.shape[0]) < count, found, length)
        return found if assume_unique else original.at[found].get(mode="fill", fill_value=original.size)
    return values, indices(places, None, arr1.size, first), indices(places + 1, a_count, arr2.size, second)
