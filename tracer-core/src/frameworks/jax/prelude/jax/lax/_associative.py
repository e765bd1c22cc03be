"""`associative_scan`: pairs are combined, the halves scanned, and the gaps filled."""
from _jitlens import core, prims as p

from ._shapes import concatenate, pad, rev
from ._slicing import slice_in_dim


def associative_scan(fn, elems, reverse=False, axis=0):
    if not callable(fn):
        raise TypeError("lax.associative_scan: fn argument should be callable.")
    leaves, treedef = core.tree_flatten(elems, None, 1)
    if reverse:
        leaves = [rev(x, [axis]) for x in leaves]

    def combine(a, b):
        return core.tree_leaves(fn(core.tree_unflatten(treedef, a, 1), core.tree_unflatten(treedef, b, 1)), None, 1)

    axis = core.canonical_axis(axis, leaves[0].ndim)
    count = leaves[0].shape[axis]
    if not all([x.shape[axis] == count for x in leaves[1:]]):
        raise ValueError("Array inputs to associative_scan must have the same first dimension. "
                         f"(saw: {[x.shape for x in leaves]})")
    found = _scan(combine, leaves, axis)
    if reverse:
        found = [rev(x, [axis]) for x in found]
    return core.tree_unflatten(treedef, found, 1)


def _scan(combine, xs, axis):
    count = xs[0].shape[axis]
    if count < 2:
        return xs
    pairs = combine([slice_in_dim(x, 0, -1, stride=2, axis=axis) for x in xs],
                    [slice_in_dim(x, 1, None, stride=2, axis=axis) for x in xs])
    odd = _scan(combine, pairs, axis)
    if count % 2 == 0:
        before = [slice_in_dim(x, 0, -1, axis=axis) for x in odd]
    else:
        before = odd
    even = combine(before, [slice_in_dim(x, 2, None, stride=2, axis=axis) for x in xs])
    even = [concatenate([slice_in_dim(x, 0, 1, axis=axis), e], axis) for x, e in zip(xs, even)]
    return [_interleave(e, o, axis) for e, o in zip(even, odd)]


def _interleave(a, b, axis):
    """a0 b0 a1 b1 … along `axis`: both spread with zeros between, then joined."""
    assert a.shape[axis] == b.shape[axis] or a.shape[axis] == b.shape[axis] + 1
    zero = core.scalar_like(a, 0)
    spread_a, spread_b = [(0, 0, 0)] * a.ndim, [(0, 0, 0)] * a.ndim
    spread_a[axis] = (0, 1 if a.shape[axis] == b.shape[axis] else 0, 1)
    spread_b[axis] = (1, 0 if a.shape[axis] == b.shape[axis] else 1, 1)
    join = p.bitwise_or if core.dtype_kind(a.dtype) == "bool" else p.add
    return join(pad(a, zero, spread_a), pad(b, zero, spread_b))
