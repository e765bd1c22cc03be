"""Reductions, cumulative ones, sorting and searching."""
from _jitlens import core, prims as p

from .._arguments import index_or_tuple


def _axes(operand, axes, bitwise=None):
    axes = tuple(axes)
    if any([type(axis) is int and axis < 0 for axis in axes]):
        core.check_arraylike("reduce", operand)
        raise ValueError(f"reduction axes {axes} contains out-of-bounds indices for {core.typeof(operand).str_short()}.")
    if bitwise and len(set(axes)) < len(axes) and core.trace_state_clean():
        raise ValueError(f"Cannot lower jaxpr with verifier errors:\n\tDuplicate reduction dimension in reduce_{bitwise}")
    return axes


def reduce_sum(operand, axes, *, out_sharding=None):
    return p.reduce_sum(operand, axes=_axes(operand, axes))


def reduce_prod(operand, axes):
    return p.reduce_prod(operand, axes=_axes(operand, axes))


def reduce_max(operand, axes):
    return p.reduce_max(operand, axes=_axes(operand, axes))


def reduce_min(operand, axes):
    return p.reduce_min(operand, axes=_axes(operand, axes))


def reduce_or(operand, axes):
    return p.reduce_or(operand, axes=_axes(operand, axes, "or"))


def reduce_and(operand, axes):
    return p.reduce_and(operand, axes=_axes(operand, axes, "and"))


def reduce_xor(operand, axes):
    return p.reduce_xor(operand, axes=_axes(operand, axes, "xor"))


def _check_axis(operand, axis):
    """Complex numbers have no order, but the axis is looked at first."""
    if type(axis) is int and core.is_array(operand) and core.dtype_kind(operand.dtype) == "complex" and not 0 <= axis < core.ndim(operand):
        raise ValueError(f"Invalid axis {axis} for operand shape {core.shape(operand)}")


def argmin(operand, axis, index_dtype):
    _check_axis(operand, axis)
    core.check_ordered("argmin", operand)
    return p.argmin(operand, axes=(axis,), index_dtype=core.user_dtype(index_dtype, "argmin"))


def argmax(operand, axis, index_dtype):
    _check_axis(operand, axis)
    core.check_ordered("argmax", operand)
    return p.argmax(operand, axes=(axis,), index_dtype=core.user_dtype(index_dtype, "argmax"))


def cumsum(operand, axis=0, reverse=False):
    return p.cumsum(operand, axis=int(axis), reverse=bool(reverse))


def cumprod(operand, axis=0, reverse=False):
    return p.cumprod(operand, axis=int(axis), reverse=bool(reverse))


def cummax(operand, axis=0, reverse=False):
    return p.cummax(operand, axis=int(axis), reverse=bool(reverse))


def cummin(operand, axis=0, reverse=False):
    return p.cummin(operand, axis=int(axis), reverse=bool(reverse))


def cumlogsumexp(operand, axis=0, reverse=False):
    if core.dtype_kind(core.dtype(operand)) == "int":
        int(-float("inf"))          # raises: what the lowering pads with
    return p.cumlogsumexp(operand, axis=int(axis), reverse=bool(reverse))


# ----------------------------------------------------------------------------------------------------------- sorting

def sort(operand, dimension=-1, is_stable=True, num_keys=1):
    if isinstance(operand, (list, tuple)):
        if len(operand) == 0:
            raise TypeError("Sort requires at least one operand")
        if not 1 <= num_keys <= len(operand):
            raise ValueError(f"num_keys={num_keys!r} must be between 1 and len(operand)={len(operand)!r}")
        dimension = core.canonical_axis(dimension, len(operand[0].shape))
        return tuple(p.sort(*operand, dimension=dimension, is_stable=is_stable, num_keys=num_keys))
    if num_keys != 1:
        raise ValueError(f"num_keys={num_keys!r} must equal 1 for a single operand.")
    dimension = core.canonical_axis(dimension, len(operand.shape))
    return p.sort(operand, dimension=dimension, is_stable=is_stable, num_keys=1)[0]


def sort_key_val(keys, values, dimension=-1, is_stable=True):
    dimension = core.canonical_axis(dimension, len(keys.shape))
    return tuple(p.sort(keys, values, dimension=dimension, is_stable=is_stable, num_keys=1))


def top_k(operand, k, *, axis=-1):
    if isinstance(k, float):
        raise TypeError(f"Shapes must be 1D sequences of concrete values of integer type, got [{k}].")
    k = k if core.is_tracer(k) else core.constant_int(k)
    if k < 0:
        raise ValueError(f"k argument to top_k must be nonnegative, got {k}")
    return p.top_k(operand, k=k, axis=core.canonical_axis(axis, core.ndim(operand)))


def approx_max_k(operand, k, reduction_dimension=-1, recall_target=0.95, reduction_input_size_override=-1, aggregate_to_topk=True):
    return _approx_top_k(operand, k, reduction_dimension, recall_target, reduction_input_size_override, aggregate_to_topk, True)


def approx_min_k(operand, k, reduction_dimension=-1, recall_target=0.95, reduction_input_size_override=-1, aggregate_to_topk=True):
    return _approx_top_k(operand, k, reduction_dimension, recall_target, reduction_input_size_override, aggregate_to_topk, False)


def _approx_top_k(operand, k, dimension, recall_target, override, aggregate, is_max):
    hash(recall_target)
    return p.approx_top_k(operand, k=k, reduction_dimension=dimension, recall_target=recall_target, is_max_k=is_max,
                          reduction_input_size_override=override, aggregate_to_topk=aggregate)


# ----------------------------------------------------------------------------------- reduce with a computation of one's own

def reduce(operands, init_values, computation, dimensions, out_sharding=None):
    leaves, tree, inits = check_operands(operands, init_values)
    known = _known_reduction(computation, inits)
    if known:
        weak = core.weak_type(leaves[0]) and core.weak_type(inits[0])
        found = known(*leaves, axes=tuple(dimensions))
        return core.convert(found, None, weak)
    jaxpr, consts, out_tree = reduction_jaxpr(computation, inits, tree, "reduce comp")
    outs = core.bind_reduce(leaves, inits, computation, jaxpr, consts, tuple(dimensions))
    return out_tree.unflatten(outs)


def check_operands(operands, init_values):
    leaves, tree = core.tree_flatten(operands)
    inits, init_tree = core.tree_flatten(init_values)
    if tree != init_tree:
        raise ValueError(f"Operands must have the same tree structure as init_values: {tree} vs. {init_tree}")
    return leaves, tree, inits


def reduction_jaxpr(computation, inits, tree, api):
    """The staged `computation(xs, ys)` on scalars."""
    pair = core.treedef_tuple([core.treedef_tuple([tree, tree]), core.tree_structure({})])
    avals = [core.typeof(x) for x in inits]
    jaxpr, consts, out_tree, _ = core.trace_to_jaxpr(computation, pair, avals + avals, api)
    if any([core.is_tracer(c) for c in consts]):
        raise NotImplementedError("Reduction computations can't close over Tracers. Please open an issue at "
                                  "https://github.com/jax-ml/jax.")
    return jaxpr, consts, out_tree


def _known_reduction(computation, inits):
    """The primitive that is a reduction by a lax function from its identity, or None."""
    if len(inits) != 1 or not core.is_concrete(inits[0]) or core.shape(inits[0]) != ():
        return None
    value, dtype = inits[0], core.dtype(inits[0])
    if computation is p.add:
        return p.reduce_sum if value == 0 else None
    if computation is p.mul:
        return p.reduce_prod if value == 1 else None
    if computation is p.max:
        return p.reduce_max if value == lowest(dtype) else None
    if computation is p.min:
        return p.reduce_min if value == highest(dtype) else None
    if core.dtype_kind(dtype) in ("int", "bool"):
        if computation is p.or_:
            return p.reduce_or if value == 0 else None
        if computation is p.xor:
            return p.reduce_xor if value == 0 else None
        if computation is p.and_:
            return p.reduce_and if value == core.numpy_array(-1).astype(dtype) else None
    return None


def lowest(dtype):
    """The identity of a maximum."""
    kind = core.dtype_kind(dtype)
    if kind == "bool":
        return False
    if kind == "int":
        return core.iinfo(dtype).min
    return float("-inf") if core.has_inf(dtype) else core.finfo(dtype).min


def highest(dtype):
    """The identity of a minimum."""
    kind = core.dtype_kind(dtype)
    if kind == "bool":
        return True
    if kind == "int":
        return core.iinfo(dtype).max
    return float("inf") if core.has_inf(dtype) else core.finfo(dtype).max
