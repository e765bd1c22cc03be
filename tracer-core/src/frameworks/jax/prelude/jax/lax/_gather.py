"""`gather` and the scatters."""
from _jitlens import core, prims as p

from ._shapes import concatenate, expand_dims, full

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
    def applied(x, _):
        out = func(x)
        if isinstance(out, (tuple, list, dict, set, str, type(None))):
            raise ValueError(f"Invalid return type from reduction function: {type(out)}")
        return out
    jaxpr, consts, _, outs = core.trace_to_jaxpr(applied, *_two_scalars(operand), "reduction computation")
    if any([core.is_tracer(c) for c in consts]):
        raise NotImplementedError("Reduction computations can't close over Tracers. Please open an issue at "
                                  "https://github.com/jax-ml/jax.")
    if consts:
        if core.trace_state_clean():
            raise TypeError("unhashable type: 'jaxlib._jax.ArrayImpl'")
        raise TypeError("As of JAX v0.7, parameters to jaxpr equations must have __hash__ and __eq__ methods. In a call to primitive "
                        f"scatter, the value of parameter update_consts was not hashable: {tuple(consts)}")
    updates = full(update_shape, 0, operand.dtype)
    out = p.scatter(operand, scatter_indices, updates, dimension_numbers=dimension_numbers, indices_are_sorted=indices_are_sorted,
                     unique_indices=unique_indices, mode=_mode(mode), update_jaxpr=jaxpr)
    if core.trace_state_clean() and not core.is_tracer(operand):
        _check_applied(operand, outs[0])
    return out


def _two_scalars(operand):
    """The structure of two arguments, and the types of two elements of this."""
    aval = core.ShapedArray((), operand.dtype)
    leaf = core.tree_structure(0)
    return core.treedef_tuple([core.treedef_tuple([leaf, leaf]), core.tree_structure({})]), [aval, aval]


def _check_applied(operand, out):
    """What XLA refuses of a function that is run at once."""
    if out.shape != ():
        raise ValueError("Cannot lower jaxpr with verifier errors:")
    if out.dtype != operand.dtype:
        raise ValueError("Cannot lower jaxpr with verifier errors:\n\tThe type of reduction-region's parameter at index 0 is different than the "
                         f"corresponding result type: {operand.dtype} vs {out.dtype}")


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
