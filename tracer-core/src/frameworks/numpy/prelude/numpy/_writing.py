"""Functions that write into arrays."""
from _jitlens import core

_KINDS = "buifc"


def can_cast_same_kind(source, target):
    if source.kind not in _KINDS or target.kind not in _KINDS:
        return True
    kinds = {"b": 0, "u": 1, "i": 2, "f": 3, "c": 4}
    return kinds[source.kind] <= kinds[target.kind]


def copyto(dst, src, casting="same_kind", where=True):
    import numpy
    src = core.numpy_array(src) if not isinstance(src, (bool, int, float, complex)) else src
    if hasattr(src, "dtype") and casting == "same_kind" and not can_cast_same_kind(src.dtype, dst.dtype):
        raise TypeError(f"Cannot cast array data from {src.dtype!r} to {dst.dtype!r} according to the rule 'same_kind'")
    dst[...] = src if where is True else numpy.where(where, src, dst)


def putmask(a, mask, values):
    import numpy
    values = core.numpy_array(values)
    if values.size != 1:
        values = numpy.resize(values, a.shape)
    a[...] = numpy.where(mask, values, a)


def place(arr, mask, vals):
    import numpy
    if not core.is_numpy_array(arr):
        raise TypeError(f"place() argument 1 must be numpy.ndarray, not {type(arr).__name__}")
    mask = core.numpy_array(mask).astype(bool)
    if mask.size != arr.size:
        raise ValueError("place: mask and data must be the same size")
    places, values = numpy.flatnonzero(mask), core.numpy_array(vals).reshape(-1)
    if core.is_unknown(places.shape[0]):
        core.numpy_forget(arr)
        return
    if len(places):
        if not values.size:
            raise ValueError("Cannot insert from an empty array!")
        flat = arr.flatten()
        flat[places] = numpy.resize(values, places.shape)
        arr[...] = flat.reshape(arr.shape)


def put(a, ind, v, mode="raise"):
    import numpy
    ind = core.numpy_array(ind)
    if mode == "wrap":
        ind = ind % a.size
    elif mode == "clip":
        ind = numpy.clip(ind, 0, a.size - 1)
    flat = a.flatten()
    v = core.numpy_array(v)
    if v.size != 1:
        v = numpy.resize(v, ind.shape)
    flat[ind] = v
    a[...] = flat.reshape(a.shape)


def _along(arr, indices, axis):
    """The axis of places along it."""
    if axis is None:
        if indices.ndim != 1:
            raise ValueError("when axis=None, `indices` must have a single dimension.")
        ndim = 1
    else:
        ndim = arr.ndim
        from ._shapes import _axis
        axis = _axis(axis, ndim)
    if core.dtype_kind(indices.dtype) != "int":
        raise IndexError("`indices` must be an integer array")
    if ndim != indices.ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    return axis


def take_along_axis(arr, indices, axis=-1):
    import jax.numpy as jnp
    if axis is None and not core.is_numpy_array(arr):
        arr.flat        # Neither lists nor arrays of JAX have it.
    axis = _along(arr, indices, axis)
    if axis is not None and core.is_numpy_array(arr):
        for d in range(arr.ndim):
            n, m = arr.shape[d], core.shape(indices)[d]
            if d != axis and type(n) is int and type(m) is int and 1 not in (n, m) and n != m:
                raise IndexError("shape mismatch: indexing arrays could not be broadcast together")
    if core.is_array(arr):
        return jnp.take_along_axis(arr, core.numpy_array(indices), axis)
    return core.numpy_call(jnp.take_along_axis, "take_along_axis", (core.numpy_array(arr), core.numpy_array(indices), axis), {})


def put_along_axis(arr, indices, values, axis):
    import jax.numpy as jnp
    _along(arr, indices, axis)
    arr[...] = core.numpy_call(jnp.put_along_axis, "put_along_axis", (arr, indices, values), {"axis": axis, "inplace": False})


def fill_diagonal(a, val, wrap=False):
    import jax.numpy as jnp
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    a.flat              # Raises where arrays of JAX have none.
    a[...] = core.numpy_call(jnp.fill_diagonal, "fill_diagonal", (a, val), {"wrap": wrap, "inplace": False})


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    import jax.numpy as jnp
    result = core.numpy_call(jnp.nan_to_num, "nan_to_num", (x,), {"nan": nan, "posinf": posinf, "neginf": neginf})
    if copy or not core.is_numpy_array(x):
        return result
    x[...] = result
    return x
