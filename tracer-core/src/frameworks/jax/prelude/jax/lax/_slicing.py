"""Slices, static and dynamic; gather and scatter are in `_gather`."""
import operator

from _jitlens import core, prims as p

from ._shapes import expand_dims, squeeze


def _size(number):
    return operator.index(number) if core.is_tracer(number) else core.dimension(number)


def slice(operand, start_indices, limit_indices, strides=None):
    if strides is None and core.trace_state_clean() and not core.is_tracer(operand):
        return _slice_of_known(operand, tuple(start_indices), tuple(limit_indices))
    return p.slice(operand, start_indices=tuple(start_indices), limit_indices=tuple(limit_indices),
                   strides=None if strides is None else tuple(strides))


def _slice_of_known(operand, starts, limits):
    """Outside of all transformations JAX takes as many elements as there are between the ends, from where they fit."""
    sizes = core.shape(operand)
    if len(starts) != len(sizes) and len(starts) == len(limits) and all([isinstance(i, int) for i in (*starts, *limits)]):
        raise ValueError(f"safe_map() argument 2 is {'shorter' if len(starts) < len(sizes) else 'longer'} than argument 1")
    if len(starts) == len(limits) == len(sizes) and all([isinstance(i, int) for i in (*starts, *limits)]):
        if not all([0 <= start <= limit <= size for start, limit, size in zip(starts, limits, sizes)]):
            wanted = tuple([limit - start for start, limit in zip(starts, limits)])
            shown = ", ".join([f"np.int64({n})" for n in wanted]) + ("," if len(wanted) == 1 else "")
            if not all([n <= size for n, size in zip(wanted, sizes)]):
                raise TypeError(f"slice slice_sizes must be less than or equal to operand shape, got slice_sizes ({shown}) for "
                                f"operand shape {sizes}.")
            if not all([n >= 0 for n in wanted]):
                raise TypeError(f"slice slice_sizes must be greater than or equal to zero, got slice_sizes of ({shown}).")
            return dynamic_slice(operand, starts, wanted)
    if not all([type(i) is int or core.is_static_integer(i) for i in (*starts, *limits)]) or len(starts) != len(limits):
        import numpy
        wanted = tuple(numpy.array(limits) - numpy.array(starts))
        if len(wanted) > len(sizes):
            raise ValueError("safe_map() argument 2 is longer than argument 1")
        if len(starts) < len(sizes):
            from .._mlir import MLIRError
            raise MLIRError("Operation creation failed")
        return dynamic_slice(operand, starts, wanted)
    return p.slice(operand, start_indices=starts, limit_indices=limits, strides=None)


def slice_in_dim(operand, start_index, limit_index, stride=1, axis=0):
    axis = int(axis)
    starts, limits, strides = [0] * operand.ndim, list(operand.shape), [1] * operand.ndim
    size = limits[axis]
    start = 0 if start_index is None else _size(start_index)
    limit = size if limit_index is None else _size(limit_index)
    starts[axis] = start + size if start < 0 else start
    limits[axis] = limit + size if limit < 0 else limit
    strides[axis] = _size(stride)
    return slice(operand, starts, limits, strides)


def index_in_dim(operand, index, axis=0, keepdims=True):
    index, axis = _size(index), int(axis)
    size = operand.shape[axis]
    wrapped = index + size if index < 0 else index
    if not 0 <= wrapped < size:
        raise IndexError(f"index {index} is out of bounds for axis {axis} with size {size}")
    found = slice_in_dim(operand, wrapped, wrapped + 1, 1, axis)
    return found if keepdims else squeeze(found, (axis,))


# ----------------------------------------------------------------------------------------------------------- dynamic

def dynamic_slice(operand, start_indices, slice_sizes, *, allow_negative_indices=True):
    starts = _start_indices(operand, start_indices, allow_negative_indices)
    if isinstance(slice_sizes, (tuple, list)) and len(slice_sizes) != operand.ndim:
        raise ValueError(f"safe_map() argument 2 is {'shorter' if len(slice_sizes) < operand.ndim else 'longer'} than argument 1")
    return p.dynamic_slice(operand, *starts, slice_sizes=core.canonical_shape(slice_sizes))


def dynamic_update_slice(operand, update, start_indices, *, allow_negative_indices=True):
    return p.dynamic_update_slice(operand, update, *_start_indices(operand, start_indices, allow_negative_indices))


def dynamic_slice_in_dim(operand, start_index, slice_size, axis=0, *, allow_negative_indices=True):
    axis = int(axis)
    if start_index is None:
        raise ValueError("Invalid argument to dtype: None.")
    starts, sizes, negative = _along(operand, axis, start_index, allow_negative_indices)
    sizes[axis] = _size(slice_size)
    return dynamic_slice(operand, starts, sizes, allow_negative_indices=negative)


def dynamic_update_slice_in_dim(operand, update, start_index, axis, *, allow_negative_indices=True):
    starts, _, negative = _along(operand, int(axis), start_index, allow_negative_indices)
    return dynamic_update_slice(operand, update, starts, allow_negative_indices=negative)


@core.jit(static_argnames=("axis", "keepdims", "allow_negative_indices"))
def dynamic_index_in_dim(operand, index, axis=0, keepdims=True, *, allow_negative_indices=True):
    found = dynamic_slice_in_dim(operand, index, 1, axis, allow_negative_indices=allow_negative_indices)
    return found if keepdims else squeeze(found, (axis,))


@core.jit(static_argnames=("axis", "allow_negative_indices"))
def dynamic_update_index_in_dim(operand, update, index, axis, *, allow_negative_indices=True):
    axis = int(axis)
    if core.ndim(update) != core.ndim(operand):
        assert core.ndim(update) + 1 == core.ndim(operand)
        update = expand_dims(update, (axis,))
    return dynamic_update_slice_in_dim(operand, update, index, axis, allow_negative_indices=allow_negative_indices)


def _along(operand, axis, start, negative):
    """Starts, sizes and whether each start may be negative, for a slice along one axis."""
    ndim = core.ndim(operand)
    starts, allowed = [core.scalar_like(start, 0)] * ndim, [False] * ndim
    starts[axis], allowed[axis] = start, negative
    return starts, list(core.shape(operand)), allowed


def _start_indices(operand, indices, negative):
    """The start indices with negative ones wrapped: known ones now, others by equations."""
    if len(indices) != operand.ndim:
        raise ValueError(f"Length of slice indices must match number of operand dimensions ({len(indices)} vs {operand.shape})")
    if core.is_array(indices) or not isinstance(indices, (list, tuple)):
        if indices.ndim != 1:
            raise ValueError(f"Slice indices must be a 1D sequence, got {indices.shape}")
        indices = list(indices)
    if isinstance(negative, bool):
        negative = [negative] * len(indices)
    return [_start_index(i, size, allowed) for i, size, allowed in zip(indices, operand.shape, negative)]


def _start_index(i, size, negative):
    dtype = core.dtype(i)
    if dtype.kind == "u":
        return i
    if core.is_python_int(i):
        if i < 0 and not negative:
            raise ValueError(f"Index {i} is out of bounds for dimension {size} if allow_negative_indices=False")
        return core.convert(i + size if i < 0 else i, dtype)
    if not negative:
        return i
    return p.select_n(i < 0, i, i + core.convert(size, dtype))
