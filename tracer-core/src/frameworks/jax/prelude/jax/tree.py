"""`jax.tree`: short names for `jax.tree_util`."""
from . import tree_util as _util

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()

all = _util.tree_all
broadcast = _util.tree_broadcast
flatten = _util.tree_flatten
flatten_with_path = _util.tree_flatten_with_path
leaves = _util.tree_leaves
leaves_with_path = _util.tree_leaves_with_path
map = _util.tree_map
map_with_path = _util.tree_map_with_path
reduce = _util.tree_reduce
reduce_associative = _util.tree_reduce_associative
structure = _util.tree_structure
transpose = _util.tree_transpose
unflatten = _util.tree_unflatten


def static(**kwargs):
    import dataclasses
    metadata = kwargs.pop("metadata", None) or {}
    return dataclasses.field(metadata={**metadata, "static": True}, **kwargs)
