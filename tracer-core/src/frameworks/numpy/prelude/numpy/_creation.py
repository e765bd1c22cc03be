"""Arrays from numbers and shapes."""
from _jitlens import core
from _jitlens.python import is_unknown

from . import _objects
from ._arguments import order as check_order, rows_or_columns


def array(object, dtype=None, *, copy=True, order="K", subok=False, ndmin=0, like=None, ndmax=0):
    check_order(order)
    if dtype is not None and _objects.is_asked(dtype):
        return _with_axes(_objects.array(object, dtype), ndmin)
    if core.is_array(ndmin) and ndmin.ndim == 0:
        ndmin = core.index(ndmin)
    if isinstance(ndmin, float):
        raise TypeError("integer argument expected, got float")
    out = core.numpy_array_of_any(object, dtype)
    if core.holds_no_numbers(out):
        return _with_axes(out.copy() if copy and out is object else out, ndmin)
    if ndmin > out.ndim:
        out = out.reshape((1,) * (ndmin - out.ndim) + out.shape)
    return _laid_out(core.numpy_copy(out) if copy else out, order, object)


def _with_axes(out, ndmin):
    return out.reshape((1,) * (ndmin - out.ndim) + out.shape) if ndmin > out.ndim else out


def _laid_out(out, order, source=None):
    """An array in the order that is asked for; what keeps an order has its source's."""
    if order in ("F", "f"):
        return core.numpy_in_columns(out)
    if order in ("C", "c"):
        return core.numpy_in_rows(out)
    is_columns = core.numpy_is_in_columns(source)
    if is_unknown(is_columns):
        return out
    return core.numpy_in_columns(out) if is_columns and source.shape == out.shape else out


def asarray(a, dtype=None, order=None, *, device=None, copy=None, like=None):
    check_order(order)
    if dtype is not None and _objects.is_asked(dtype):
        return _objects.array(a, dtype)
    out = core.numpy_array_of_any(a, dtype)
    return out if core.holds_no_numbers(out) else _laid_out(core.numpy_copy(out) if copy else out, order, a)


def asanyarray(a, dtype=None, order=None, *, device=None, copy=None, like=None):
    return asarray(a, dtype, order, copy=copy)


def ascontiguousarray(a, dtype=None, *, like=None):
    out = core.numpy_array(a, dtype)
    if out.ndim == 0:
        return out.reshape(1)
    return core.numpy_in_rows(out)


def asfortranarray(a, dtype=None, *, like=None):
    out = core.numpy_array(a, dtype)
    return out.reshape(1) if out.ndim == 0 else core.numpy_in_columns(out)


def asarray_chkfinite(a, dtype=None, order=None):
    check_order(order)
    return core.numpy_array(a, dtype)


def require(a, dtype=None, requirements=None, *, like=None):
    if requirements is not None and not isinstance(requirements, (str, list, tuple, set)):
        raise TypeError(f"{type(requirements).__name__!r} object is not iterable")
    return core.numpy_array(a, dtype)


def copy(a, order="K", subok=False):
    check_order(order)
    return _laid_out(core.numpy_copy(core.numpy_array(a)), order, a)


def _float64():
    return core.named_dtype("float64")


def zeros(shape, dtype=None, order="C", *, device=None, like=None):
    rows_or_columns(order)
    if dtype is not None and _objects.is_asked(dtype):
        return _objects.full(_shape(shape), 0, dtype)
    return _laid_out(core.numpy_full(_shape(shape), 0, _float64() if dtype is None else dtype), order)


def ones(shape, dtype=None, order="C", *, device=None, like=None):
    rows_or_columns(order)
    return _laid_out(core.numpy_full(_shape(shape), 1, _float64() if dtype is None else dtype), order)


def empty(shape, dtype=None, order="C", *, device=None, like=None):
    rows_or_columns(order)
    if dtype is not None and _objects.is_asked(dtype):
        return _objects.full(_shape(shape), None, dtype)
    # Nobody means to read what nobody wrote: zeros, so that an array is known once the program has filled it.
    return _laid_out(core.numpy_full(_shape(shape), 0, _float64() if dtype is None else dtype), order)


def full(shape, fill_value, dtype=None, order="C", *, device=None, like=None):
    rows_or_columns(order)
    if dtype is not None and _objects.is_asked(dtype):
        return _objects.full(_shape(shape), fill_value, dtype)
    fill = core.numpy_array_of_any(fill_value)
    if core.holds_no_numbers(fill):
        return _objects.full(_shape(shape), fill_value, fill.dtype) if fill.shape == () and dtype is None else core.unknown("an array full of objects")
    if dtype is None:
        dtype = fill.dtype
    if fill.ndim:
        import numpy
        return _laid_out(core.numpy_copy(numpy.broadcast_to(fill.astype(dtype), _shape(shape))), order)
    return _laid_out(core.numpy_full(_shape(shape), fill_value, dtype), order)


def _shape(shape):
    if isinstance(shape, bool):
        raise TypeError(f"expected a sequence of integers or a single integer, got '{shape}'")
    if type(shape) is int:
        if shape < 0:
            raise ValueError("negative dimensions are not allowed")
    elif isinstance(shape, float):
        raise TypeError("'float' object cannot be interpreted as an integer")
    elif isinstance(shape, (tuple, list)):
        for size in shape:
            if type(size) is int and size < 0:
                raise ValueError("negative dimensions are not allowed")
            if isinstance(size, float):
                raise TypeError("'float' object cannot be interpreted as an integer")
            if isinstance(size, bool):
                raise TypeError("an integer is required")
    return shape


def zeros_like(a, dtype=None, order="K", subok=True, shape=None, *, device=None):
    return _like(a, 0, dtype, order, shape)


def ones_like(a, dtype=None, order="K", subok=True, shape=None, *, device=None):
    return _like(a, 1, dtype, order, shape)


def full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None, *, device=None):
    check_order(order)
    a = core.numpy_array(a)
    kind = core.numpy_dtype_from(a.dtype if dtype is None else dtype)
    if fill_value is None and kind.kind in "bfc":
        fill_value = False if kind.kind == "b" else float("nan")
    return _laid_out(full(a.shape if shape is None else shape, fill_value, kind), order, a)


def empty_like(prototype, dtype=None, order="K", subok=True, shape=None, *, device=None):
    check_order(order)
    a = core.numpy_array(prototype)
    return _laid_out(empty(a.shape if shape is None else shape, a.dtype if dtype is None else dtype), order, a)


def _like(a, value, dtype, order, shape):
    a = core.numpy_array(a)
    dtype = a.dtype if dtype is None else core.numpy_dtype_from(dtype)
    check_order(order)
    return _laid_out(core.numpy_full(a.shape if shape is None else _shape(shape), value, dtype), order, a)


def fromiter(iter, dtype, count=-1, *, like=None):
    items = list(iter) if count < 0 else [x for x, _ in zip(iter, range(count))]
    if items and core.ndim(items[0]):
        raise ValueError("setting an array element with a sequence.")
    if items and isinstance(core.numpy_array(items[0]).item(), complex) and core.numpy_dtype_from(dtype).kind not in "cO":
        raise TypeError("float() argument must be a string or a real number, not 'complex'")
    return core.numpy_array(items, dtype)


def fromfunction(function, shape, *, dtype=float, like=None, **kwargs):
    import numpy
    return function(*numpy.indices(shape, dtype=dtype), **kwargs)


def eye(N, M=None, k=0, dtype=float, order="C", *, device=None, like=None):
    import jax.numpy as jnp
    if isinstance(N, bool):
        raise TypeError("an integer is required")
    N = core.index(N)
    M = N if M is None else core.index(M)
    dtype = core.numpy_dtype_from(float if dtype is None else dtype)
    rows_or_columns(order)
    # A diagonal outside of the matrix is not looked at.
    k = M if isinstance(k, float) and k >= M else core.index(k)
    return core.numpy_call(jnp.eye, "eye", (N, M, k, dtype), {})


def identity(n, dtype=None, *, like=None):
    import numpy
    return numpy.eye(n, dtype=dtype)


def frombuffer(buffer, dtype=None, count=-1, offset=0, *, like=None):
    try:
        kind = _float64() if dtype is None else core.numpy_dtype_from(dtype)
    except TypeError:
        return core.unknown("numbers in a buffer")
    if core.is_array(buffer) and core.is_tracer(buffer):
        raise TypeError(f"a bytes-like object is required, not '{type(buffer).__name__}'")
    if core.is_numpy_array(buffer) or core.is_array(buffer):
        buffer = core.numpy_array(buffer).tobytes()
    if isinstance(buffer, str):
        raise TypeError("a bytes-like object is required, not 'str'")
    if is_unknown(buffer) or not isinstance(buffer, (bytes, bytearray)) or kind.kind not in "biuf":
        return core.unknown("numbers in a buffer")
    size, step = len(buffer), kind.itemsize
    if offset < 0 or offset > size:
        raise ValueError(f"offset must be non-negative and no greater than buffer length ({size})")
    if count < 0 and (size - offset) % step:
        raise ValueError("buffer size must be a multiple of element size")
    end = size if count < 0 else offset + count * step
    if end > size:
        raise ValueError("buffer is smaller than requested size")
    if end == offset:
        return core.numpy_full((0,), 0, kind)
    octets = core.numpy_array(list(buffer[offset:end]), "uint8")
    return octets.astype(kind) if kind.kind == "b" else octets.view(kind)
