"""`jax.flatten_util`: a pytree as one vector."""
from _jitlens import core

from .lax._shapes import concatenate, reshape, split

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


class _Unravel:
    """The inverse of `ravel_pytree`: equal for trees of the same structure, shapes and dtypes."""

    def __init__(self, treedef, sizes, shapes, dtypes, dtype):
        self._key = (treedef, sizes, shapes, dtypes, dtype)

    def __eq__(self, other):
        return isinstance(other, _Unravel) and self._key == other._key

    def __hash__(self):
        return hash(self._key)

    def __call__(self, flat):
        treedef, sizes, shapes, dtypes, dtype = self._key
        if not sizes:
            return treedef.unflatten([])
        if dtypes is None:
            return treedef.unflatten([chunk.reshape(shape) for chunk, shape in zip(split(flat, sizes), shapes)])
        if core.dtype(flat) != dtype:
            raise TypeError(f"unravel function given array of dtype {core.dtype(flat)}, but expected dtype {dtype}")
        return treedef.unflatten([core.convert_quietly(chunk.reshape(shape), d)
                                  for chunk, shape, d in zip(split(flat, sizes), shapes, dtypes)])


def ravel_pytree(pytree):
    leaves, treedef = core.tree_flatten(pytree, None, 1)
    if not leaves:
        return core.full([0], 0, "float32"), _Unravel(treedef, (), (), None, None)
    dtypes = tuple([core.dtype(x) for x in leaves])
    dtype = core.result_type(*dtypes)
    sizes, shapes = tuple([core.size(x) for x in leaves]), tuple([core.shape(x) for x in leaves])
    if all([d == dtype for d in dtypes]):
        flat = concatenate([reshape(x, (core.size(x),)) for x in leaves], 0)
        return flat, _Unravel(treedef, sizes, shapes, None, None)
    flat = concatenate([core.convert_element_type(x, dtype).ravel() for x in leaves], 0)
    return flat, _Unravel(treedef, sizes, shapes, dtypes, dtype)
