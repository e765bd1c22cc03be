"""Collectives over named axes."""
from _jitlens import core, prims as p

from ..tree_util import tree_map
from ._shapes import expand_dims, squeeze


def _names(axis_name):
    return tuple(axis_name) if isinstance(axis_name, (tuple, list)) else (axis_name,)


def _groups(axis_index_groups):
    return None if axis_index_groups is None else tuple([tuple(g) for g in axis_index_groups])


def _check_groups(names, groups):
    if groups is None:
        return
    if any([isinstance(name, int) for name in names]):
        raise ValueError("axis_index_groups only supported for sums over just named axes")
    if {i for g in groups for i in g} != set(range(sum([len(g) for g in groups]))):
        raise ValueError("axis_index_groups must cover all indices exactly once")


def psum(x, axis_name, *, axis_index_groups=None):
    names = _names(axis_name)
    return tree_map(lambda leaf: _psum(leaf, names, axis_index_groups), x) if names else x


def _psum(x, names, groups):
    _check_groups(names, groups)
    if core.dtype_kind(core.typeof(x).dtype) == "bool":
        x = core.convert(x, core.INT32)
    groups = _groups(groups)
    if core.is_tracer(x):
        return p.psum(x, axes=names, axis_index_groups=groups)
    # A known value is the same everywhere: its sum is a product with the number of devices.
    plain = type(x) in (int, float, complex)     # a number of Python's stays one
    if groups is not None:
        return (len(groups[0]) if plain else core.scalar_like(x, len(groups[0]))) * x
    size, positions = 1, []
    for name in names:
        if isinstance(name, int):
            positions.append(core.canonical_axis(name, core.ndim(x)))
        else:
            size *= core.axis_frame_size(name)
    if plain and not positions:
        return x * size
    summed = p.reduce_sum(x, axes=tuple(positions)) if positions else x
    return core.scalar_like(x, size) * summed


def axis_size(axis_name):
    return psum(1, axis_name)


def pmean(x, axis_name, *, axis_index_groups=None):
    x = psum(x, axis_name, axis_index_groups=axis_index_groups)
    n = psum(1, axis_name, axis_index_groups=_groups(axis_index_groups))
    return tree_map(lambda v: v / n, x)


def pmax(x, axis_name, *, axis_index_groups=None):
    names = axis_name if isinstance(axis_name, (tuple, list)) else (axis_name,)
    _check_groups(names, axis_index_groups)
    return tree_map(lambda leaf: p.pmax(leaf, axes=names, axis_index_groups=_groups(axis_index_groups)), x)


def pmin(x, axis_name, *, axis_index_groups=None):
    names = axis_name if isinstance(axis_name, (tuple, list)) else (axis_name,)
    _check_groups(names, axis_index_groups)
    return tree_map(lambda leaf: p.pmin(leaf, axes=names, axis_index_groups=_groups(axis_index_groups)), x)


def _outside(name, x):
    """Refuses arrays outside of every transformation."""
    if core.trace_state_clean() and not any([core.is_tracer(leaf) for leaf in core.tree_leaves(x)]):
        raise NotImplementedError(f"Evaluation rule for '{name}' not implemented")


def pbroadcast(x, axis_name, source):
    _outside("pbroadcast", x)
    return tree_map(lambda leaf: p.pbroadcast(leaf, axis_name=axis_name, source=source), x)


def ppermute(x, axis_name, perm):
    if not core.tree_flatten(x)[0]:
        return x
    names = axis_name if isinstance(axis_name, (tuple, list)) else (axis_name,)
    perm = _groups(perm)
    _outside("ppermute", x)
    return tree_map(lambda leaf: p.ppermute(leaf, axis_name=names, perm=perm), x)


def pshuffle(x, axis_name, perm):
    if set(perm) != set(range(len(perm))):
        raise ValueError(f"`perm` does not represent a permutation: {perm}")
    return ppermute(x, axis_name, list(zip(perm, range(len(perm)))))


def pswapaxes(x, axis_name, axis, *, axis_index_groups=None):
    return all_to_all(x, axis_name, axis, axis, axis_index_groups=axis_index_groups)


def axis_index(axis_name):
    if not isinstance(axis_name, (tuple, list)):
        return p.axis_index(axis_name=axis_name)
    inner, index = 1, core.asarray(0)
    for name in reversed(axis_name):
        index += axis_index(name) * inner
        inner *= axis_size(name)
    return index


def all_gather(x, axis_name, *, axis_index_groups=None, axis=0, tiled=False, to="varying"):
    if to not in ("varying", "reduced", "invarying"):
        raise ValueError("Got unexpected `to` value for `jax.lax.all_gather`. Allowed `to` values are: "
                         f"{ {'varying', 'reduced', 'invarying'} }")
    if to != "varying" and axis_index_groups is not None:
        raise NotImplementedError
    names = axis_name if isinstance(axis_name, tuple) else (axis_name,)
    if not names:
        return x
    groups = _groups(axis_index_groups)
    size = psum(1, names, axis_index_groups=groups)

    def bind(leaf):
        ndim = core.ndim(leaf)
        if to == "invarying":
            return p.all_gather_invariant(leaf, all_gather_dimension=core.canonical_axis(axis, ndim if tiled else ndim + 1), axis_name=names,
                                          axis_size=size, tiled=tiled)
        return p.all_gather(leaf, all_gather_dimension=core.canonical_axis(axis, ndim if tiled else ndim + 1), axis_name=names,
                            axis_index_groups=groups, axis_size=size, tiled=tiled)
    return tree_map(bind, x)


def psum_scatter(x, axis_name, *, scatter_dimension=0, axis_index_groups=None, tiled=False):
    names = axis_name if isinstance(axis_name, tuple) else (axis_name,)
    if not names:
        return x
    groups = _groups(axis_index_groups)
    size = psum(1, names, axis_index_groups=groups)
    return tree_map(lambda leaf: p.reduce_scatter(leaf, axis_name=names, scatter_dimension=scatter_dimension, axis_index_groups=groups,
                                                  axis_size=size, tiled=tiled), x)


def all_to_all(x, axis_name, split_axis, concat_axis, *, axis_index_groups=None, tiled=False):
    groups = _groups(axis_index_groups)

    def bind(x):
        size = psum(1, axis_name, axis_index_groups=groups)
        split, concat = split_axis, concat_axis
        if tiled:
            if x.shape[split] % size != 0:
                raise ValueError(f"The size of all_to_all split_axis ({x.shape[split]}) has to be divisible by the size of the named axis "
                                 f"{axis_name} ({size})")
        else:
            if size != x.shape[split]:
                raise ValueError("all_to_all requires the size of the mapped axis axis_name to equal x.shape[split_axis], but they are "
                                 f"{size} and {x.shape[split]} respectively.")
            if split < concat:
                concat += 1
                x = expand_dims(x, (concat,))
            elif split > concat:
                x = expand_dims(x, (concat,))
                split += 1
        found = p.all_to_all(x, split_axis=split, concat_axis=concat, axis_name=axis_name, axis_index_groups=groups, tiled=tiled)
        return squeeze(found, (split,)) if not tiled and split != concat else found

    return tree_map(bind, x)


def ragged_all_to_all(operand, output, input_offsets, send_sizes, output_offsets, recv_sizes, *, axis_name, axis_index_groups=None):
    names = axis_name if isinstance(axis_name, (tuple, list)) else (axis_name,)
    return p.ragged_all_to_all(operand, output, input_offsets, send_sizes, output_offsets, recv_sizes, axis_name=names,
                               axis_index_groups=_groups(axis_index_groups))


def pcast(x, axis_name, *, to):
    if isinstance(axis_name, (set, frozenset)):
        raise TypeError(f"axis_name={axis_name!r} must be a tuple or a str. Got {axis_name}")
    return core.pcast(x, _names(axis_name), to) if axis_name else x
