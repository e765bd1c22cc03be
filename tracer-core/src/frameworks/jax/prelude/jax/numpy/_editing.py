"""Deleting and inserting, bits, `i0`, and the index expressions `mgrid`, `ogrid`, `r_`, `c_`, `s_`, `index_exp`."""
import operator

from _jitlens import core, prims as p

from . import _low
from ._creation import arange, array, asarray, full, linspace, meshgrid, ones, zeros_like
from ._join import concatenate, stack
from ._manipulate import expand_dims, moveaxis, ravel, reshape_array, swapaxes, transpose

where = _low.where


def delete(arr, obj, axis=None, *, assume_unique_indices=False):
    from ._rounding import clip
    from ._sorting import sort
    a = core.arraylike("delete", arr)
    if axis is None:
        a, axis = ravel(a), 0
    axis = core.canonical_axis(axis, a.ndim)
    size, before = a.shape[axis], (slice(None),) * axis
    try:
        one = operator.index(obj)
    except TypeError:
        pass
    else:
        one = core.canonical_axis(one, size)
        return concatenate([a[before + (slice(0, one),)], a[before + (slice(one + 1, None),)]], axis=axis)
    if isinstance(obj, slice):
        obj = arange(size)[obj]
        assume_unique_indices = True
    core.check_arraylike("delete", a, obj)
    obj = core.arraylike_value(obj)
    if _low.is_kind(core.dtype(obj), "integer") and assume_unique_indices:
        gone = ravel(asarray(obj))
        gone = sort(clip(where(gone < 0, gone + size, gone), 0, size))
        gone = gone - arange(gone.shape[0], dtype=gone.dtype)
        kept = arange(size - gone.size, dtype=gone.dtype)
        kept = kept + (kept[None, :] >= gone[:, None]).sum(0, dtype=kept.dtype)
        return a[before + (kept,)]
    known = core.concrete_numpy(obj, "'obj' array argument of jnp.delete()")
    if known.dtype.kind in "iu":
        import numpy as np
        mask = np.ones(size, dtype=bool)
        mask[known] = False
    elif known.dtype == bool:
        if known.shape != (size,):
            raise ValueError("np.delete(arr, obj): for boolean indices, obj must be one-dimensional with length matching specified axis.")
        mask = ~known
    else:
        raise ValueError(f"np.delete(arr, obj): got obj.dtype={known.dtype}; must be integer or bool.")
    return a[before + (mask,)]


def insert(arr, obj, values, axis=None):
    from ._index import where as find
    from ._rounding import clip
    from ._sorting import argsort
    a, _, values = core.arraylike("insert", arr, 0 if isinstance(obj, slice) else obj, values)
    if axis is None:
        a, axis = ravel(a), 0
    axis = core.canonical_axis(core.concrete(axis, "axis argument of jnp.insert()"), a.ndim)
    places = arange(*obj.indices(a.shape[axis])) if isinstance(obj, slice) else asarray(obj)
    if places.ndim > 1:
        raise ValueError(f"jnp.insert(): obj must be a slice, a one-dimensional array, or a scalar; got {obj}")
    if not _low.is_kind(places.dtype, "integer"):
        if places.size == 0 and not core.is_array(obj):
            places = places.astype(int)
        else:
            raise ValueError(f"jnp.insert(): index array must be integer typed; got {obj}")
    values = array(values, ndmin=a.ndim, dtype=a.dtype, copy=False)
    if places.size == 1:
        place = ravel(places)[0]
        if places.ndim == 0:
            values = moveaxis(values, 0, axis)
        places = full(values.shape[axis], place)
    have = a.shape[axis]
    more = core.broadcast_shapes(places.shape, (values.shape[axis],))[0]
    before = (slice(None),) * axis
    out = zeros_like(a, shape=a.shape[:axis] + (have + more,) + a.shape[axis + 1:])
    places = clip(where(places < 0, places + have, places), 0, have)
    new = places.at[argsort(places)].add(arange(more, dtype=places.dtype))
    old = find(ones(have + more, dtype=bool).at[new].set(False), size=have)[0]
    out = out.at[before + (new,)].set(values)
    return out.at[before + (old,)].set(a)


def _bit_order(bitorder):
    if bitorder not in ("little", "big"):
        raise ValueError("'order' must be either 'little' or 'big'")


@core.jit(static_argnames=("axis", "bitorder"))
def packbits(a, axis=None, bitorder="big"):
    a = core.arraylike("packbits", a)
    if a.dtype != bool and not _low.is_kind(a.dtype, "integer"):
        raise TypeError("Expected an input array of integer or boolean data type")
    _bit_order(bitorder)
    uint8 = core.canonical_dtype("uint8")
    a = core.convert(p.ne(a, core.scalar_like(a, 0)), uint8)
    bits = arange(8, dtype="uint8")
    if bitorder == "big":
        bits = bits[::-1]
    if axis is None:
        a, axis = ravel(a), 0
    a = swapaxes(a, axis, -1)
    rest = a.shape[-1] % 8
    if rest:
        a = p.pad(a, core.constant(0, uint8), padding_config=((0, 0, 0),) * (a.ndim - 1) + ((0, 8 - rest, 0),))
    a = reshape_array(a, a.shape[:-1] + (a.shape[-1] // 8, 8))
    bits = expand_dims(bits, tuple(range(a.ndim - 1)))
    return swapaxes((a << bits).sum(-1).astype("uint8"), axis, -1)


@core.jit(static_argnames=("axis", "count", "bitorder"))
def unpackbits(a, axis=None, count=None, bitorder="big"):
    a = core.arraylike("unpackbits", a)
    if a.dtype != "uint8":
        raise TypeError("Expected an input array of unsigned byte data type")
    _bit_order(bitorder)
    bits = asarray(1) << arange(8, dtype="uint8")
    if bitorder == "big":
        bits = bits[::-1]
    if axis is None:
        a, axis = ravel(a), 0
    a = swapaxes(a, axis, -1)
    found = ((a[..., None] & expand_dims(bits, tuple(range(a.ndim)))) > 0).astype("uint8")
    found = reshape_array(found, found.shape[:-2] + (-1,))
    if count is not None:
        if count > found.shape[-1]:
            from ._pad import pad
            found = pad(found, [(0, 0)] * (found.ndim - 1) + [(0, count - found.shape[-1])])
        else:
            found = found[..., :count]
    return swapaxes(found, axis, -1)


@core.jit
def i0(x):
    x, = core.promote_inexact("i0", x)
    if x.dtype.kind == "c":
        raise ValueError(f"Unsupported input type to jax.numpy.i0: {x.dtype}")
    return _i0(x)


def _bessel(x):
    x = p.abs(x)
    return p.mul(p.exp(x), p.bessel_i0e(x))


@core.custom_jvp
def _i0(x):
    return _bessel(x)


@_i0.defjvp
def _i0_jvp(primals, tangents):
    import jax
    out, tangent = jax.jvp(_bessel, primals, tangents)
    return out, where(primals[0] == 0, 0.0, tangent)


# ------------------------------------------------------------------------------------------------- index expressions

def _grid(part, name):
    start = core.concrete(part.start, f"slice start of jnp.{name}") or 0
    stop = core.concrete(part.stop, f"slice stop of jnp.{name}")
    step = core.concrete(part.step, f"slice step of jnp.{name}") or 1
    if isinstance(step, complex):
        return linspace(start, stop, int(abs(step)))
    return arange(start, stop, step)


class _Mgrid:
    def __getitem__(self, key):
        if isinstance(key, slice):
            return _grid(key, "mgrid")
        parts = core.promote_dtypes(*[_grid(k, "mgrid") for k in key]) if key else []
        parts = meshgrid(*parts, indexing="ij", sparse=False)
        return stack(parts, 0) if parts else arange(0)


class _Ogrid:
    def __getitem__(self, key):
        if isinstance(key, slice):
            return _grid(key, "ogrid")
        parts = core.promote_dtypes(*[_grid(k, "ogrid") for k in key]) if key else []
        return meshgrid(*parts, indexing="ij", sparse=True)


class _AxisConcat:
    def __init__(self, name, axis, ndmin, trans1d):
        self.name, self.params = name, [axis, ndmin, trans1d, -1]

    def __getitem__(self, key):
        key = key if isinstance(key, tuple) else (key,)
        params = list(self.params)
        if isinstance(key[0], str):
            params, key = self._directive(key[0], params), key[1:]
        axis, ndmin, trans1d, matrix = params
        parts = []
        for item in key:
            if isinstance(item, str):
                raise ValueError("string directive must be placed at the beginning")
            made = _grid(item, self.name) if isinstance(item, slice) else array(item, copy=False)
            rank = 0 if isinstance(item, slice) else made.ndim
            made = array(made, copy=False, ndmin=ndmin)
            if trans1d != -1 and ndmin - rank > 0:
                order = tuple(range(ndmin))
                shift = ndmin - abs(ndmin + trans1d + 1) % ndmin
                made = transpose(made, order[shift:] + order[:shift])
            parts.append(made)
        result = concatenate(tuple(parts), axis=axis)
        return expand_dims(result, matrix) if matrix != -1 and result.ndim == 1 else result

    def _directive(self, text, params):
        if text in ("r", "c"):
            return params[:3] + [0 if text == "r" else 1]
        given = text.split(",")
        given = given + params[len(given):] if len(given) < 4 else given[:3] + [params[-1]]
        try:
            return [int(value) for value in given]
        except ValueError as error:
            raise ValueError(f"could not understand directive {text!r}") from error

    def __len__(self):
        return 0


class _IndexExpression:
    def __init__(self, always_tuple):
        self.always_tuple = always_tuple

    def __getitem__(self, item):
        return (item,) if self.always_tuple and not isinstance(item, tuple) else item


mgrid, ogrid = _Mgrid(), _Ogrid()



class RClass(_AxisConcat):
    """`r_`: along the first axis."""


class CClass(_AxisConcat):
    """`c_`: as columns."""


r_, c_ = RClass("r_", 0, 1, -1), CClass("c_", -1, 2, 0)
s_, index_exp = _IndexExpression(False), _IndexExpression(True)
