"""Pytrees under their internal name."""
from _jitlens import core as _core
from collections import namedtuple as _namedtuple

from jax.tree_util import *  # noqa: F401,F403
from jax.tree_util import PyTreeDef as _PyTreeDef
from jax.tree_util import tree_flatten as _tree_flatten
from jax.tree_util import tree_structure as _tree_structure

_RegistryEntry = _namedtuple("_RegistryEntry", ["to_iter", "from_iter"])
_LEAF = _tree_structure(0)


def _to_iter(tree):
    children, treedef = _tree_flatten(tree, is_leaf=lambda part: part is not tree)
    metadata = treedef.node_data()[1]
    return tuple(children), tuple(metadata) if type(tree) is dict else metadata


class _Registry:
    """Which types are nodes, and how each is taken apart by one level and put together."""

    def __contains__(self, nodetype):
        return _core.is_tree_node(nodetype)

    def __getitem__(self, nodetype):
        if nodetype not in self:
            raise KeyError(nodetype)

        def from_iter(metadata, children):
            children = list(children)
            metadata = list(metadata) if nodetype is dict else metadata
            treedef = _PyTreeDef.make_from_node_data_and_children((nodetype, metadata), [_LEAF] * len(children))
            return treedef.unflatten(children)

        return _RegistryEntry(_to_iter, from_iter)

    def get(self, nodetype, default=None):
        return self[nodetype] if nodetype in self else default

    def __getattr__(self, name):
        return _core.unknown(f"`{name}` of JAX's own registry is not modelled")


_registry = _Registry()


def __getattr__(name):
    return _core.unknown(f"`jax._src.tree_util.{name}` is internal and not modelled")
