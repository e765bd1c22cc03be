"""`gather` and the scatters."""
from _jitlens import core, prims as p

from ._shapes import concatenate, expand_dims

GatherDimensionNumbers = core.GatherDimensionNumbers
ScatterDimensionNumbers = core.ScatterDimensionNumbers
GatherScatterMode = core.GatherScatterMode


def _mode(mode):
    """The name of a mode for the primitives."""
    return GatherScatterMode.from_any(mode).name.lower()


def gather(operand, start_indices, dimension_numbers, slice_sizes, *, unique_indices=False, indices_are_sorted=False, mode=None,
           fill_value=None):
    mode = "promise_in_bounds" if mode is None else _mode(mode)
    if mode != "fill_or_drop":
        fill_value = None
    elif fill_value is None:
        fill_value = _fill_value(core.dtype(operand))
    return p.gather(operand, start_indices, dimension_numbers=dimension_numbers, slice_sizes=core.canonical_shape(slice_sizes),
                    unique_indices=bool(unique_indices), indices_are_sorted=bool(indices_are_sorted), mode=mode, fill_value=fill_value)


def _fill_value(dtype):
    kind = core.dtype_kind(dtype)
    if kind in ("float", "complex"):
        return float("nan")
    if kind == "int":
        limits = core.iinfo(dtype)
        return limits.min if limits.min < 0 else limits.max
    if kind == "bool":
        return True
    if kind == "extended":
        return 4294967295
    raise ValueError(f"Unsupported dtype for gather fill_value {dtype}")


def _scatter(primitive):
    def scatter(operand, scatter_indices, updates, dimension_numbers, *, indices_are_sorted=False, unique_indices=False, mode=None):
        return primitive(operand, scatter_indices, updates, dimension_numbers=dimension_numbers, indices_are_sorted=indices_are_sorted,
                         unique_indices=unique_indices, mode=_mode(mode))
    return scatter


scatter = _scatter(p.scatter)
scatter_add = _scatter(p.scatter_add)
scatter_sub = _scatter(p.scatter_sub)
scatter_mul = _scatter(p.scatter_mul)
scatter_min = _scatter(p.scatter_min)
scatter_max = _scatter(p.scatter_max)


def scatter_apply(operand, scatter_indices, func, dimension_numbers, *, update_shape=(), indices_are_sorted=False,
                  unique_indices=False, mode=None):
    """What JAX stages as one scatter: where no position comes twice, read, apply, write."""
    from .. import eval_shape
    from .._indexing import _applied
    update_shape = core.canonical_shape(update_shape)

    def write(operand, scatter_indices, updates):
        return p.scatter(operand, scatter_indices, updates, dimension_numbers=dimension_numbers, indices_are_sorted=indices_are_sorted,
                         unique_indices=unique_indices, mode=_mode(mode))
    # Whether the updates fit is looked at first.
    eval_shape(write, operand, scatter_indices, core.ShapedArray(update_shape, operand.dtype))
    given = dimension_numbers
    windows = iter(given.update_window_dims)
    left_out = tuple(given.inserted_window_dims) + tuple(given.operand_batching_dims)
    sizes = tuple([1 if i in left_out else update_shape[next(windows)] for i in range(operand.ndim)])
    numbers = GatherDimensionNumbers(
        offset_dims=given.update_window_dims, collapsed_slice_dims=given.inserted_window_dims, start_index_map=given.scatter_dims_to_operand_dims,
        operand_batching_dims=given.operand_batching_dims, start_indices_batching_dims=given.scatter_indices_batching_dims)
    old = gather(operand, scatter_indices, numbers, sizes, indices_are_sorted=indices_are_sorted, unique_indices=unique_indices,
                 mode=GatherScatterMode.from_any(mode))
    return write(operand, scatter_indices, _applied(func, old))


def index_take(src, idxs, axes):
    from .. import numpy as jnp
    indices = concatenate([expand_dims(i, (1,)) for i in idxs], 1)
    limits = core.numpy_array([src.shape[ax] for ax in axes])
    indices = indices % expand_dims(limits, tuple(range(indices.ndim - 1)))
    sizes = list(src.shape)
    for ax in axes:
        sizes[ax] = 1
    numbers = GatherDimensionNumbers(offset_dims=tuple(range(1, src.ndim - indices.shape[1] + 1)), collapsed_slice_dims=tuple(axes),
                                     start_index_map=tuple(axes))
    return gather(src, indices, numbers, tuple(sizes))
