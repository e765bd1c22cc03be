"""Arrays from shapes, values and other arrays."""
import math
import operator

from _jitlens import core, prims as p

from . import _low
from ..lax._shapes import fill_value_of, lying_as


def shape_of(shape, context=""):
    """A `shape=` argument; 0-d arrays and scalars are one dimension."""
    if not isinstance(shape, (tuple, list, range)) and core.ndim(shape) == 0:
        shape = (shape,)
    return core.canonical_shape(shape, context)


def _forgot_tuple(name, shape, dtype):
    if isinstance(dtype, int) and isinstance(shape, int):
        raise TypeError(f"Cannot interpret '{dtype}' as a data type."
                        f"\n\nDid you accidentally write `jax.numpy.{name}({shape}, {dtype})` "
                        f"when you meant `jax.numpy.{name}(({shape}, {dtype}))`, i.e. "
                        "with a single tuple argument for the shape?")


def _filled(name, value, shape, dtype):
    if type(shape).__name__ == "generator":
        raise TypeError("expected sequence object with len >= 0 or a single integer")
    _forgot_tuple(name, shape, dtype)
    if name == "ones":
        shape = shape_of(shape)
        dtype = core.user_dtype(float if dtype is None else dtype, name)
    else:
        dtype = core.user_dtype(float if dtype is None else dtype, name)
        shape = shape_of(shape)
    return core.full(shape, value, dtype)


def _lying(x, device, out_sharding=None):
    from .._partition import lying
    return lying(x, device if out_sharding is None else out_sharding)


def zeros(shape, dtype=None, *, device=None, out_sharding=None):
    if device is not None or out_sharding is not None:
        return _lying(zeros(shape, dtype), device, out_sharding)
    return _filled("zeros", 0, shape, dtype)


def ones(shape, dtype=None, *, device=None, out_sharding=None):
    if device is not None or out_sharding is not None:
        return _lying(ones(shape, dtype), device, out_sharding)
    return _filled("ones", 1, shape, dtype)


def empty(shape, dtype=None, *, device=None, out_sharding=None):
    if device is not None or out_sharding is not None:
        return _lying(empty(shape, dtype), device, out_sharding)
    _forgot_tuple("empty", shape, dtype)
    return zeros(shape, core.user_dtype(float if dtype is None else dtype, "empty"))


def full(shape, fill_value, dtype=None, *, device=None, out_sharding=None):
    if device is not None or out_sharding is not None:
        return _lying(full(shape, fill_value, dtype), device, out_sharding)
    if dtype is not None:
        dtype = core.user_dtype(dtype, "full")
    core.check_arraylike("full", fill_value)
    if type(fill_value) is complex and dtype is not None:
        fill_value_of(fill_value, dtype)
    if core.ndim(fill_value) == 0:
        return core.full(shape_of(shape), fill_value, dtype)
    return _low.broadcast_to(asarray(fill_value, dtype=dtype), shape_of(shape))


def _like(name, a, value, dtype, shape):
    if not (hasattr(a, "dtype") and hasattr(a, "shape")):
        a = core.arraylike_value(a)
        core.check_arraylike(name, a)
    if dtype is not None:
        dtype = core.user_dtype(dtype, name)
    return lying_as(a, core.full_like(a, value, dtype, None if shape is None else shape_of(shape)))


def zeros_like(a, dtype=None, shape=None, *, device=None, out_sharding=None):
    if device is not None or out_sharding is not None:
        return _lying(zeros_like(a, dtype, shape), device, out_sharding)
    return _like("zeros_like", a, 0, dtype, shape)


def ones_like(a, dtype=None, shape=None, *, device=None, out_sharding=None):
    if device is not None or out_sharding is not None:
        return _lying(ones_like(a, dtype, shape), device, out_sharding)
    return _like("ones_like", a, 1, dtype, shape)


def empty_like(prototype, dtype=None, shape=None, *, device=None):
    if device is not None:
        return _lying(empty_like(prototype, dtype, shape), device)
    return _like("ones_like", prototype, 0, dtype, shape)


def full_like(a, fill_value, dtype=None, shape=None, *, device=None, out_sharding=None):
    if device is not None or out_sharding is not None:
        return _lying(full_like(a, fill_value, dtype, shape), device, out_sharding)
    if hasattr(a, "dtype") and hasattr(a, "shape"):
        core.check_arraylike("full_like", 0, fill_value)
    else:
        core.check_arraylike("full_like", a, fill_value)
        a = core.arraylike_value(a)
    if dtype is not None:
        dtype = core.user_dtype(dtype, "full_like")
    if shape is not None:
        shape = shape_of(shape)
    like = core.dtype(a) if dtype is None else dtype
    if type(fill_value) is complex and not (core.dtype_kind(like) == "bool" or dtype is None and type(a) in (int, float)):
        fill_value_of(fill_value, like)
    if core.ndim(fill_value) == 0:
        return lying_as(a, core.full_like(a, fill_value, dtype, shape))
    shape = core.shape(a) if shape is None else shape
    dtype = core.result_type(a) if dtype is None else dtype
    return _low.broadcast_to(asarray(fill_value, dtype=dtype), shape)


def array(object, dtype=None, *args, copy=True, order="K", ndmin=0, device=None, out_sharding=None):
    if device is not None or out_sharding is not None:
        return _lying(array(object, dtype, *args, copy=copy, order=order, ndmin=ndmin), device, out_sharding)
    if args:
        if len(args) > 3:
            raise TypeError(f"array() takes at most 5 positional arguments but {len(args) + 2} were given")
        given = [copy, order, ndmin]
        for i, (name, default) in enumerate([("copy", True), ("order", "K"), ("ndmin", 0)]):
            if i < len(args) and given[i] != default:
                raise TypeError(f"array() got multiple values for argument '{name}'")
        copy, order, ndmin = (list(args) + given[len(args):])[:3]
        core.warn("Passing the copy, order, and ndmin arguments to jnp.array positionally is deprecated. "
                  "Use keyword arguments instead.", DeprecationWarning)
    if order is not None and order != "K":
        raise NotImplementedError("Only implemented for order='K'")
    made = _array(object, dtype, copy, ndmin)
    return core.lay_new(made, object)


_NUMBERS = (int, float, bool)


def _array(object, dtype, copy, ndmin):
    if isinstance(object, (range, tuple, list)) and type(object) not in (tuple, list):
        object = list(object)
    if dtype is None and isinstance(object, (dict, set)):
        raise TypeError(f"Value '{object}' with dtype object is not a valid JAX array type. Only arrays of numeric types are supported by JAX.")
    if dtype is None and ndmin == 0:
        if core.is_array(object):
            return p.copy(object) if copy else object
        if core.is_scalar_or_numpy(object):
            return core.stage(object)
    if dtype is not None:
        dtype = core.user_dtype(dtype, "array")
    if core.makes_array(object):
        object = core.numpy_array(object, dtype)
    if core.holds_no_numbers(object):
        if dtype is None:
            raise TypeError(f"Error interpreting argument to stage as a JAX value. The problematic value is of type {type(object)} and was passed "
                            "to stage at position 0.")
        object = object.astype(dtype)
    if dtype is not None:
        if type(object) in _NUMBERS:
            return _with_ndmin(core.convert(core.from_python(object, dtype), dtype, False), ndmin)
    weak = dtype is None and core.weak_type(object)
    if not isinstance(object, (list, tuple)):
        object = core.arraylike_value(object)
        if core.is_array(object):
            out = core.convert(p.copy(object) if copy else object, dtype or object.dtype, weak)
            return _with_ndmin(out, ndmin)
    found = core.plain_leaves(object)
    if not found:
        object = _without_ranges(object)
        found = core.flatten_lists(object)
    leaves, has_array = found
    if dtype is None:
        dtype = core.lattice_dtype(leaves) if leaves else core.default_float()
    if has_array:
        out = _stacked(object, dtype)
    else:
        out = core.from_python(object, dtype)
    return _with_ndmin(core.convert(out, dtype, weak), ndmin)


def _without_ranges(object):
    """A list of ranges as a list of lists: they are no leaves."""
    if isinstance(object, (list, tuple)) and any([isinstance(part, range) for part in object]):
        return [list(part) if isinstance(part, range) else part for part in object]
    return object


def _with_ndmin(x, ndmin):
    missing = ndmin - x.ndim
    return _low.expand_dims(x, range(missing)) if missing > 0 else x


def _stacked(objects, dtype):
    """A list that holds jax arrays: its parts made arrays and joined, sixteen at a time."""
    parts = [_low.expand_dims(_array(part, dtype, False, 0), [0]) for part in objects]
    while len(parts) > 16:
        parts = [_low.concatenate(parts[i:i + 16], 0) for i in range(0, len(parts), 16)]
    return _low.concatenate(parts, 0)


def asarray(a, dtype=None, order=None, *, copy=None, device=None, out_sharding=None):
    if device is not None or out_sharding is not None:
        return _lying(asarray(a, dtype, order, copy=copy), device, out_sharding)
    if dtype is not None:
        dtype = core.user_dtype(dtype, "asarray")
    if order is not None and order != "K":
        raise NotImplementedError("Only implemented for order='K'")
    made = _array(a, dtype, bool(copy), 0)
    return core.lay_new(made, a)


def copy(a, order=None):
    core.check_arraylike("copy", a)
    return array(a, copy=True, order=order)


def astype(x, dtype, /, *, copy=False, device=None):
    if device is not None:
        return _lying(astype(x, dtype, copy=copy), device)
    x = core.arraylike("astype", x)
    dtype = core.default_float() if dtype is None else core.user_dtype(dtype, "astype")
    if x.dtype.kind == "c":
        if dtype == bool:
            x = p.ne(x, core.scalar_like(x, 0))
        elif dtype.kind != "c":
            core.warn("Casting from complex to real dtypes will soon raise a ValueError. "
                      "Please first use jnp.real or jnp.imag to take the real/imaginary component of your input.",
                      DeprecationWarning)
    result = core.convert_quietly(x, dtype)
    return p.copy(result) if copy else result


def arange(start, stop=None, step=None, dtype=None, *, device=None, out_sharding=None):
    if device is not None or out_sharding is not None:
        return _lying(arange(start, stop, step, dtype), device, out_sharding)
    if dtype is not None:
        dtype = core.user_dtype(dtype, "arange")
    core.check_arraylike_or_none("arange", start, stop, step)
    if any(core.is_symbolic_dim(value) for value in (start, stop, step)):
        return _arange_of_sizes(start, stop, step, dtype)
    first = "stop" if stop is None and step is None else "start"
    start = core.concrete(start, f"It arose in the jnp.arange argument '{first}'")
    stop = core.concrete(stop, "It arose in the jnp.arange argument 'stop'")
    step = core.concrete(step, "It arose in the jnp.arange argument 'step'")
    given = []
    for name, value in ((first, start), ("stop", stop), ("step", step)):
        if value is not None:
            given.append(value)
            if core.ndim(value) != 0:
                raise ValueError(f"jax.numpy.arange: arguments must be scalars; got {name}={value}")
    if start is None and stop is None:
        raise TypeError("must be real number, not NoneType")
    if dtype is None:
        dtype = core.result_type(*given)
    if any(core.dtype(value).kind == "c" for value in given):
        raise ValueError("Passing complex start/stop/step to jnp.arange is no longer supported starting in JAX v0.10.0.")
    if stop is None:
        start, stop = 0, start
    start_number, stop_number = core.known_scalar(start), core.known_scalar(stop)
    if step is not None:
        size = max(0, math.ceil((stop_number - start_number) / core.known_scalar(step)))
        half = _low.is_kind(dtype, "floating") and core.finfo(dtype).bits < 32
        compute = core.canonical_dtype("float32") if half else dtype
        steps = p.mul(core.convert(step, compute), p.iota(dtype=compute, shape=(size,), dimension=0))
        return core.convert(p.add(core.convert(start, compute), steps), dtype)
    size = max(0, math.ceil(stop_number - start_number))
    steps = p.iota(dtype=dtype, shape=(size,), dimension=0)
    return steps if start_number == 0 else p.add(core.convert(start, dtype), steps)


def _arange_of_sizes(start, stop, step, dtype):
    """Of symbolic sizes: the number of items is one."""
    if stop is None:
        start, stop = 0, start
    step = 1 if step is None else step
    if not all(core.is_symbolic_dim(value) or isinstance(value, int) for value in (start, stop, step)):
        if not any(core.holds_for_every_size(value) for value in (start, stop, step)):
            return core.unknown("the number of items of `arange` between numbers that are not known")
        raise ValueError(
            "In arange with non-constant arguments all of start, stop, and step must be either dimension expressions or "
            f"integers: start={start}, stop={stop}, step={step}")
    if dtype is None:
        dtype = core.canonical_dtype("int32")
    if core.is_symbolic_dim(step):
        return core.unknown("the number of items of `arange` with a symbolic step")
    size = (stop - start + step - 1) // step if step > 0 else (start - stop - step - 1) // -step
    steps = p.iota(dtype=dtype, shape=(core.max_dim(size, 0),), dimension=0)
    return p.add(core.convert(start, dtype), p.mul(core.convert(step, dtype), steps))


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None):
    if device is not None:
        made = linspace(start, stop, num, endpoint, retstep, dtype, axis)
        return (_lying(made[0], device), made[1]) if retstep else _lying(made, device)
    num = core.concrete_dim(num, "'num' argument of jnp.linspace")
    axis = core.concrete_index(axis, "'axis' argument of jnp.linspace")
    return _linspace(start, stop, num, endpoint, retstep, dtype, axis)


@core.jit(static_argnames=("num", "endpoint", "retstep", "dtype", "axis"))
def _linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    start, stop = core.arraylike("linspace", start, stop)
    dtype, compute = _range_dtypes("linspace", start, stop, dtype)
    start, stop = core.convert_quietly(start, compute), core.convert_quietly(stop, compute)
    bounds = core.broadcast_shapes(start.shape, stop.shape)
    first, last = _low.broadcast_to(start, bounds), _low.broadcast_to(stop, bounds)
    place = axis + len(bounds) + 1 if axis < 0 else axis
    with_axis = list(bounds)
    with_axis.insert(place, 1)
    with_axis = tuple(with_axis)
    if num > 1:
        intervals = num - 1 if endpoint else num
        delta = (stop - start) / core.convert(intervals, compute)
        real = core.finfo(compute).dtype
        steps_shape = [1] * len(with_axis)
        steps_shape[place] = intervals
        steps = _low.reshape(_low.iota(real, intervals), tuple(steps_shape)) / core.convert(intervals, real)
        steps = core.convert(steps, compute)
        out = _low.reshape(first, with_axis) * (1 - steps) + _low.reshape(last, with_axis) * steps
        if endpoint:
            out = p.concatenate(out, _low.expand_dims(last, (place,)), dimension=core.canonical_axis(place, out.ndim))
    elif num == 1:
        delta = asarray(float("nan") if endpoint else stop - start, dtype=compute)
        out = _low.reshape(first, with_axis)
    else:
        delta = core.full((), float("nan"), compute)
        out = core.full(tuple(0 if i == min(place, len(bounds)) else size for i, size in enumerate(with_axis)), 0, dtype)
    if _low.is_kind(dtype, "integer") and not _low.is_kind(out.dtype, "integer"):
        out = p.floor(out)
    result = core.convert(out, dtype)
    return (result, delta) if retstep else result


def _range_dtypes(name, start, stop, dtype):
    """(dtype of the result, dtype to compute in)."""
    if dtype is None:
        dtype = core.to_inexact_dtype(core.result_type(start, stop))
    else:
        dtype = core.user_dtype(dtype, name)
    return dtype, core.to_inexact_dtype(dtype)


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    num = core.concrete_index(num, "'num' argument of jnp.logspace")
    axis = core.concrete_index(axis, "'axis' argument of jnp.logspace")
    return _logspace(start, stop, num, endpoint, base, dtype, axis)


@core.jit(static_argnames=("num", "endpoint", "dtype", "axis"))
def _logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    from ._elementwise import power
    dtype, compute = _range_dtypes("logspace", start, stop, dtype)
    start, stop = core.arraylike("logspace", start, stop)
    exponents = linspace(core.convert(start, compute), core.convert(stop, compute), num, endpoint=endpoint, axis=axis)
    return core.convert(power(base, exponents), dtype)


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    num = core.concrete_index(num, "'num' argument of jnp.geomspace")
    axis = core.concrete_index(axis, "'axis' argument of jnp.geomspace")
    return _geomspace(start, stop, num, endpoint, dtype, axis)


@core.jit(static_argnames=("num", "endpoint", "dtype", "axis"))
def _geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    from ._elementwise import log10
    dtype, compute = _range_dtypes("geomspace", start, stop, dtype)
    start, stop = core.arraylike("geomspace", start, stop)
    start, stop = core.convert(start, compute), core.convert(stop, compute)
    sign = p.sign(start)
    powers = logspace(log10(start / sign), log10(stop / sign), num, endpoint=endpoint, base=10.0, dtype=compute, axis=0)
    return core.convert(_low.move_axis(sign * powers, 0, axis), dtype)


def eye(N, M=None, k=0, dtype=None, *, device=None):
    if device is not None:
        return _lying(eye(N, M, k, dtype), device)
    dtype = core.user_dtype(float if dtype is None else dtype, "eye")
    offset = core.arraylike("eye", int(k) if isinstance(k, bool) else k)
    if offset.shape != () or not _low.is_kind(offset.dtype, "integer"):
        raise ValueError(f"k must be a scalar integer; got {k}")
    rows, = core.canonical_shape((N,), "argument of 'N' jnp.eye().")
    columns = rows if M is None else core.canonical_shape((M,), "argument 'M' of jnp.eye()")[0]
    if rows < 0 or columns < 0:
        raise ValueError(f"negative dimensions are not allowed, got {N} and {M}")
    i = _low.broadcasted_iota(offset.dtype, (rows, columns), 0)
    j = _low.broadcasted_iota(offset.dtype, (rows, columns), 1)
    return core.convert(p.eq(*core.promote("equal", i + offset, j)), dtype)


def identity(n, dtype=None):
    if dtype is not None:
        dtype = core.user_dtype(dtype, "identity")
    return eye(n, dtype=dtype)


def tri(N, M=None, k=0, dtype=None):
    dtype = core.canonical_dtype("float32") if dtype is None else core.user_dtype(dtype, "tri")
    offset = core.asarray(k if core.is_array(k) else operator.index(k))
    if not _low.is_kind(offset.dtype, "integer"):
        raise TypeError(f"offset must be an integer, got {offset!r}")
    index = core.canonical_dtype("int32")
    shape = core.canonical_shape((N, N if M is None else M))
    rows = p.add(_low.broadcasted_iota(index, shape, 0), core.convert(offset, index))
    below = p.ge(rows, _low.broadcasted_iota(index, shape, 1))
    return p.convert_element_type(below, new_dtype=dtype, weak_type=False)


def _triangle(name, m, k, lower):
    m = core.arraylike(name, m)
    if m.ndim < 2:
        raise ValueError(f"Argument to jax.numpy.{name} must be at least 2D")
    rows, columns = m.shape[-2:]
    mask = tri(rows, columns, k=k if lower else k - 1, dtype=bool)
    if m.ndim > 2:
        mask = _low.broadcast_in_dim(mask, m.shape, (m.ndim - 2, m.ndim - 1))
    zeros = core.full_like(m, 0)
    return p.select_n(mask, zeros, m) if lower else p.select_n(mask, m, zeros)


@core.jit(static_argnames=("k",))
def tril(m, k=0):
    return _triangle("tril", m, k, True)


@core.jit(static_argnames=("k",))
def triu(m, k=0):
    return _triangle("triu", m, k, False)


def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    core.check_arraylike("meshgrid", *xi)
    args = [core.arraylike("meshgrid", x) for x in xi]
    if not copy:
        raise ValueError("jax.numpy.meshgrid only supports copy=True")
    if indexing not in ["xy", "ij"]:
        raise ValueError(f"Valid values for indexing are 'xy' and 'ij', got {indexing}")
    if any(a.ndim != 1 for a in args):
        raise ValueError(f"Arguments to jax.numpy.meshgrid must be 1D, got shapes {[a.shape for a in args]}")
    swap = indexing == "xy" and len(args) >= 2
    if swap:
        args[0], args[1] = args[1], args[0]
    rank = len(args)
    sizes = [a.shape[0] for a in args]
    output = []
    for i, a in enumerate(args):
        shape = tuple(size if i == j or not sparse else 1 for j, size in enumerate(sizes))
        output.append(p.broadcast_in_dim(a, shape=shape, broadcast_dimensions=(i,)))
    if swap:
        output[0], output[1] = output[1], output[0]
    return output


def indices(dimensions, dtype=None, sparse=False):
    dtype = core.user_dtype(int if dtype is None else dtype, "indices")
    sizes = tuple(core.concrete_index(d, "dimensions argument of jnp.indices") for d in dimensions)
    output = []
    for i, size in enumerate(sizes):
        shape = tuple(s if i == j or not sparse else 1 for j, s in enumerate(sizes))
        output.append(p.broadcast_in_dim(_low.iota(dtype, size), shape=shape, broadcast_dimensions=(i,)))
    if sparse:
        return tuple(output)
    if not output:
        return array([], dtype=dtype)
    from ._join import stack
    return stack(output, 0)


def fromfunction(function, shape, *, dtype=float, **kwargs):
    import jax
    shape = core.canonical_shape(shape, "shape argument of jnp.fromfunction()")
    for i in range(len(shape)):
        in_axes = [0 if i == j else None for j in range(len(shape))]
        function = jax.vmap(function, in_axes=tuple(in_axes[::-1]))
    return function(*(arange(size, dtype=dtype) for size in shape), **kwargs)


def diag(v, k=0):
    return _diag(core.arraylike("diag", v), operator.index(k))


@core.jit(static_argnames=("k",))
def _diag(v, k):
    if v.ndim == 1:
        zero = core.full_like(v, 0, shape=())
        v = p.pad(v, zero, padding_config=((max(0, -k), max(0, k), 0),))
        return _low.where(eye(v.shape[0], k=k, dtype=bool), _low.expand_dims(v, (1,)), core.full_like(v, 0, shape=()))
    if v.ndim == 2:
        return diagonal(v, offset=k)
    raise ValueError("diag input must be 1d or 2d")


@core.jit(static_argnames=("offset", "axis1", "axis2"))
def diagonal(a, offset=0, axis1=0, axis2=1):
    a = core.arraylike("diagonal", a)
    if a.ndim < 2:
        raise ValueError("diagonal requires an array of at least two dimensions.")
    offset = core.concrete_index(offset, "'offset' argument of jnp.diagonal()")

    def take(a):
        from .._indexing import index
        from ._manipulate import moveaxis
        shape = a.shape
        moved = moveaxis(a, (axis1, axis2), (-2, -1))
        size = max(0, min(shape[axis1] + min(offset, 0), shape[axis2] - max(offset, 0)))
        i, j = arange(size), arange(abs(offset), abs(offset) + size)
        return index(moved, (Ellipsis, i, j) if offset >= 0 else (Ellipsis, j, i))
    if a.ndim != 2 or a.shape[0] != a.shape[1] or offset != 0 or a.dtype == bool:
        return take(a)
    from jax import lax
    mask = eye(a.shape[0], dtype=a.dtype)
    return lax.platform_dependent(a, default=take, mosaic=lambda a: p.reduce_sum(p.mul(mask, a), axes=(0,)))


def diagflat(v, k=0):
    core.check_arraylike("diagflat", v)
    from .._indexing import at_update
    from ._manipulate import ravel, reshape
    flat = ravel(v)
    size = flat.shape[0] + abs(k)
    result = zeros(size * size, dtype=flat.dtype)
    i = arange(0, size - abs(k))
    places = i + k + i * size if k >= 0 else i + (i - k) * size
    return reshape(at_update(result, places, flat, "scatter"), (size, size))


@core.jit(static_argnames=("axis1", "axis2", "dtype"))
def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    a = core.arraylike("trace", a)
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.trace is not supported.")
    if core.canonical_axis(axis1, a.ndim) == core.canonical_axis(axis2, a.ndim):
        raise ValueError(f"axis1 and axis2 can not be same. axis1={axis1} and axis2={axis2}")
    if dtype is not None:
        dtype = core.user_dtype(dtype, "trace")
    from ._manipulate import moveaxis
    from ._reductions import sum
    shape = a.shape
    a = moveaxis(a, (axis1, axis2), (-2, -1))
    mask = eye(shape[axis1], shape[axis2], k=offset, dtype=bool)
    a = _low.where(mask, a, core.full_like(a, 0))
    return sum(a, axis=(-2, -1), dtype=dtype)


@core.jit(static_argnames=("N", "increasing"))
def vander(x, N=None, increasing=False):
    x = core.arraylike("vander", x)
    if x.ndim != 1:
        raise ValueError("x must be a one-dimensional array")
    N = x.shape[0] if N is None else core.concrete_index(N, "'N' argument of jnp.vander()")
    if N < 0:
        raise ValueError("N must be nonnegative")
    from ._elementwise import power
    exponents = _low.iota(x.dtype, N)
    if not increasing:
        exponents = p.sub(core.scalar_like(exponents, N - 1), exponents)
    return power(_low.expand_dims(x, (1,)), _low.expand_dims(exponents, (0,)))


def frombuffer(buffer, dtype=float, count=-1, offset=0):
    import numpy as np
    return asarray(np.frombuffer(buffer=buffer, dtype=dtype, count=count, offset=offset))


def fromfile(*args, **kwargs):
    raise NotImplementedError("jnp.fromfile() is not implemented because it may be non-pure and thus unsafe for use with JIT "
                              "and other JAX transformations. Consider using jnp.asarray(np.fromfile(...)) instead, "
                              "although care should be taken if np.fromfile is used within a jax transformations because of "
                              "its potential side-effect of consuming the file object; for more information see "
                              "[Common Gotchas: Pure Functions]"
                              "(https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#pure-functions).")


def fromiter(*args, **kwargs):
    raise NotImplementedError("jnp.fromiter() is not implemented because it may be non-pure and thus unsafe for use with JIT "
                              "and other JAX transformations. Consider using jnp.asarray(np.fromiter(...)) instead, "
                              "although care should be taken if np.fromiter is used within a jax transformations because of "
                              "its potential side-effect of consuming the iterable object; for more information see "
                              "[Common Gotchas: Pure Functions]"
                              "(https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#pure-functions).")


def fromstring(string, dtype=float, count=-1, *, sep):
    import numpy as np
    return asarray(np.fromstring(string=string, dtype=dtype, count=count, sep=sep))
