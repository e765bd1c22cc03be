"""Shapes: reshape, broadcast, pad, concatenate, reverse, transpose and the like."""
from _jitlens import core, prims as p

from .._arguments import index_or_tuple


def broadcast(operand, sizes, *, out_sharding=None):
    if len(sizes) == 0:
        return core.asarray(operand)
    if any([type(size) is int and size < 0 for size in sizes]):
        core.check_arraylike("broadcast", operand)
        raise TypeError(f"broadcast_in_dim shape must have every element be nonnegative, got {(*sizes, *core.shape(operand))}.")
    start = len(sizes)
    return broadcast_in_dim(operand, tuple(sizes) + core.shape(operand), tuple(range(start, start + core.ndim(operand))))


def broadcast_in_dim(operand, shape, broadcast_dimensions, *, out_sharding=None):
    if core.ndim(operand) == len(shape) and not len(broadcast_dimensions) and core.is_array(operand):
        return operand
    return p.broadcast_in_dim(operand, shape=tuple(shape), broadcast_dimensions=tuple(broadcast_dimensions))


def broadcast_to_rank(x, rank):
    missing = rank - core.ndim(x)
    return core.asarray(x) if missing == 0 else broadcast(x, (1,) * missing)


def broadcast_like(arr, like_arr):
    from .. import numpy as jnp
    return jnp.broadcast_to(arr, core.typeof(like_arr).shape)


def broadcast_shapes(*shapes):
    for shape in shapes:
        check_sizes(shape)
    if len(shapes) == 1:
        return shapes[0]
    return core.broadcast_shapes(*shapes)


def _no_size(size):
    return isinstance(size, float) or core.is_array(size) and core.dtype_kind(size.dtype) != "int"


def check_sizes(shape):
    """Refuses a shape whose elements are no integers, or negative."""
    if core.is_array(shape) or core.is_numpy_array(shape):
        right = not core.size(shape) or core.dtype_kind(shape.dtype) == "int" and shape.ndim == 1
    else:
        right = not isinstance(shape, (tuple, list)) or not any([_no_size(size) for size in shape])
    if not right:
        raise TypeError(f"Shapes must be 1D sequences of concrete values of integer type, got {shape}.")
    if isinstance(shape, (tuple, list)) and any([type(size) is int and size < 0 for size in shape]):
        raise TypeError(f"Only non-negative indices are allowed when broadcasting static shapes, but got shape {tuple(shape)}.")


def reshape(operand, new_sizes, dimensions=None, *, out_sharding=None):
    new_sizes = core.canonical_shape(new_sizes)
    shape = core.shape(operand)
    if dimensions is not None:
        dimensions = index_or_tuple(dimensions)
        dimensions = (dimensions,) if isinstance(dimensions, int) else dimensions
        if dimensions == tuple(range(len(shape))):
            dimensions = None
        elif set(dimensions) != set(range(len(shape))):
            core.check_arraylike("reshape", operand)
            raise TypeError(f"reshape dimensions must be a permutation of operand dimensions, got dimensions {dimensions} for shape {shape}.")
        elif dimensions is not None and len(dimensions) != len(shape) and set(dimensions) == set(range(len(shape))):
            # Every axis is named, and one of them twice: only the compiler sees it.
            from .._mlir import MLIRError
            raise MLIRError("Operation creation failed")
    if shape and shape == new_sizes and dimensions is None and core.is_array(operand):
        return operand
    compiles(shape, new_sizes)
    return p.reshape(operand, new_sizes=new_sizes, dimensions=dimensions)


def compiles(shape, new_sizes):
    """What no rule refuses and the compiler does: a reshape to another number of elements."""
    if all([core.is_static_integer(size) and size >= 0 for size in shape + new_sizes]) and _count(shape) != _count(new_sizes):
        raise ValueError("Cannot lower jaxpr with verifier errors:\n'stablehlo.reshape' op number of output elements "
                         f"({_count(new_sizes)}) doesn't match expected number of elements ({_count(shape)})")


def _count(shape):
    count = 1
    for size in shape:
        count *= size
    return count


def squeeze(array, dimensions):
    ndim = core.ndim(array)
    dimensions = tuple(sorted([core.canonical_axis(i, ndim) for i in dimensions]))
    if not dimensions and core.is_array(array):
        return array
    return p.squeeze(array, dimensions=dimensions)


def expand_dims(array, dimensions):
    if len(set(dimensions)) != len(dimensions):
        raise ValueError(f"repeated axis in lax.expand_dims: {dimensions}")
    ndim = core.ndim(array) + len(dimensions)
    dims = [core.canonical_axis(i, ndim) for i in dimensions]
    if len(set(dims)) != len(dims):
        raise ValueError(f"repeated axis in lax.expand_dims: {dims}")
    shape = list(core.shape(array))
    for i in sorted(dims):
        shape.insert(i, 1)
    return broadcast_in_dim(array, shape, [i for i in range(ndim) if i not in dims])


def collapse(operand, start_dimension, stop_dimension=None):
    lo, hi, _ = slice(start_dimension, stop_dimension).indices(len(operand.shape))
    if hi < lo:
        raise ValueError(f"Invalid dimension range passed to collapse: {operand.shape}[{start_dimension}:{stop_dimension}]")
    merged = 1
    for n in operand.shape[lo:hi]:
        merged *= n
    return reshape(operand, operand.shape[:lo] + (merged,) + operand.shape[hi:])


def transpose(operand, permutation):
    permutation = tuple([core.index(d) for d in permutation])
    if any([d < 0 for d in permutation]):
        raise TypeError(f"transpose permutation isn't a permutation of operand dimensions, got permutation {permutation} for operand "
                        f"shape {core.shape(operand)}.")
    if permutation == tuple(range(core.ndim(operand))) and core.is_array(operand):
        return operand
    return p.transpose(operand, permutation=permutation)


def rev(operand, dimensions):
    dimensions = tuple(dimensions)
    if any([d < 0 for d in dimensions]):
        raise TypeError(f"rev dimensions must have every element be nonnegative, got {dimensions}.")
    return p.rev(operand, dimensions=dimensions)


def tile(operand, reps):
    return p.tile(operand, reps=tuple(reps))


def pad(operand, padding_value, padding_config):
    padding_config = tuple(padding_config)
    if len(padding_config) == core.ndim(operand):
        for low, high, interior in padding_config:
            pass
    return p.pad(operand, padding_value, padding_config=padding_config)


def concatenate(operands, dimension):
    if len(operands) == 0:
        raise ValueError("concatenate requires a non-empty sequences of arrays")
    if len(operands) == 1 and core.is_array(operands[0]):
        return operands[0]
    return p.concatenate(*operands, dimension=dimension)


def split(operand, sizes, axis=0):
    operand = core.asarray(operand)
    return p.split(operand, sizes=tuple(sizes), axis=core.canonical_axis(axis, operand.ndim))


def stack(operands, axis=0):
    arrays = [core.asarray(x) for x in operands]
    return p.stack(*arrays, axis=core.canonical_axis(axis, arrays[0].ndim + 1))


def unstack(x, axis=0):
    x = core.asarray(x)
    return tuple(p.unstack(x, axis=core.canonical_axis(axis, x.ndim)))


def full(shape, fill_value, dtype=None, *, sharding=None):
    return core.full(shape, fill_value_of(fill_value, dtype), dtype)


def full_like(x, fill_value, dtype=None, shape=None, sharding=None):
    if core.ndim(fill_value):
        raise TypeError(f"full must be called with scalar fill_value, got fill_value.shape {core.shape(fill_value)}.")
    if isinstance(x, (list, tuple, str)) or x is None:
        dtype = _dtype_of(x) if dtype is None else dtype
        return full(core.numpy_array(x).shape if shape is None else shape, fill_value, dtype)
    made = core.full_like(x, fill_value_of(fill_value, core.dtype(x) if dtype is None else dtype), dtype, shape)
    return made if sharding is not None else lying_as(x, made)


def _dtype_of(x):
    """That of what is no array: it has none."""
    if x is None:
        raise ValueError("Invalid argument to dtype: None.")
    raise TypeError(f"Cannot determine dtype of {x}")


def lying_as(x, made):
    """An array that was made in the likeness of `x`: it lies where `x` does, on several devices if it has its shape."""
    if not core.anything_placed() or not core.trace_state_clean() or not core.is_array(x) or core.is_tracer(x) or core.noted_sharding(x) is False:
        return made
    from .._partition import lying, sharding_of
    sharding = sharding_of(x)
    if sharding is None or core.shape(x) != core.shape(made) and len(sharding.device_set) > 1:
        return made
    return lying(made, sharding)


def fill_value_of(value, dtype):
    """A value to fill with, which Python has to know how to convert: None and complex numbers for real types are none."""
    if value is None:
        raise ValueError("Invalid argument to dtype: None.")
    if type(value) is complex and dtype is not None:
        kind = core.dtype_kind(core.user_dtype(dtype, "full"))
        if kind != "complex":
            (float if kind == "float" else int)(value)      # raises
    return value


def empty(shape, dtype, *, out_sharding=None):
    hash(shape)
    if not core.trace_state_clean():
        return p.empty(shape=shape, dtype=dtype)
    shape = core.canonical_shape(shape)
    if any([type(n) is int and n < 0 for n in shape]):
        from .._mlir import MLIRError
        raise MLIRError("Invalid type:\nerror: unknown: invalid tensor dimension size")
    return core.full_of(core.named_dtype("float64") if dtype is None else core.numpy_dtype_from(getattr(dtype, "dtype", dtype)), shape)


def iota(dtype, size):
    return broadcasted_iota(dtype, (size,), 0)


def broadcasted_iota(dtype, shape, dimension, *, out_sharding=None):
    if dtype is None:
        raise ValueError("dtype must be specified.")
    dtype = core.user_dtype(dtype, "broadcasted_iota")
    shape = core.canonical_shape(shape)
    dimension = core.concrete_int(dimension, "dimension argument of lax.broadcasted_iota")
    if any([core.is_static_integer(d) and d < 0 for d in shape]):
        raise TypeError(f"iota shape must have every element be nonnegative, got {shape}.")
    return p.iota(dtype=dtype, shape=shape, dimension=dimension)


def shape_as_value(shape):
    if len(shape) == 0:
        return core.full((0,), 0, core.INT32)
    return core.numpy_array(shape, core.INT32)
