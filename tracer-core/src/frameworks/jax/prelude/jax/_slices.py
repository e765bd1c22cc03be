"""`jax.ds`: a slice of static size at a dynamic start."""
from .tree_util import register_pytree_node


class Slice:
    def __init__(self, start, size, stride=1):
        self.start, self.size, self.stride = start, size, stride

    def __repr__(self):
        return f"Slice(start={self.start}, size={self.size}, stride={self.stride})"


def _flat(x):
    fixed = [one if isinstance(one, int) else None for one in (x.start, x.size)]
    return [one for one in (x.start, x.size) if not isinstance(one, int)], (*fixed, x.stride)


def _unflat(kept, moving):
    moving = iter(moving)
    start, size, stride = kept
    return Slice(next(moving) if start is None else start, next(moving) if size is None else size, stride)


register_pytree_node(Slice, _flat, _unflat)


def ds(start, size=None, stride=None):
    if start is None:
        return slice(None)
    if stride is None:
        stride = 1
    if not isinstance(stride, int):
        raise ValueError("Non-static stride in `dslice`")
    return Slice(0, start, stride) if size is None else Slice(start, size, stride)
