"""`jax.tree`: short names for `jax.tree_util`."""
from . import tree_util as _util

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()

broadcast = _util.tree_broadcast
flatten_with_path = _util.tree_flatten_with_path
leaves_with_path = _util.tree_leaves_with_path
map_with_path = _util.tree_map_with_path
reduce = _util.tree_reduce
reduce_associative = _util.tree_reduce_associative


def all(tree, *, is_leaf=None):
    return _util.tree_all(tree, is_leaf=is_leaf)


def flatten(tree, is_leaf=None):
    return _util.tree_flatten(tree, is_leaf)


def leaves(tree, is_leaf=None):
    return _util.tree_leaves(tree, is_leaf)


def map(f, tree, *rest, is_leaf=None):
    return _util.tree_map(f, tree, *rest, is_leaf=is_leaf)


def structure(tree, is_leaf=None):
    return _util.tree_structure(tree, is_leaf)


def transpose(outer_treedef, inner_treedef, pytree_to_transpose):
    return _util.tree_transpose(outer_treedef, inner_treedef, pytree_to_transpose)


def unflatten(treedef, leaves):
    return _util.tree_unflatten(treedef, leaves)


def static(**kwargs):
    import dataclasses
    metadata = kwargs.pop("metadata", None) or {}
    return dataclasses.field(metadata={**metadata, "static": True}, **kwargs)
