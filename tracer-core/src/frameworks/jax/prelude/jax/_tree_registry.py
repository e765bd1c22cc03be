"""The registry of node types as an object: one level of a tree, and how it is put together again."""

from collections import OrderedDict, defaultdict, namedtuple

from _jitlens import core

_LEAF = core.tree_structure(0)


def _taken_apart(tree):
    """Children and metadata, as JAX's registry hands them out; None for a leaf."""
    kind = type(tree)
    if kind is list or kind is tuple:
        return tree, None
    if tree is None:
        return (), None
    treedef = core.tree_structure(tree, lambda part: part is not tree)
    if treedef == _LEAF:
        return None
    children = core.tree_leaves(tree, lambda part: part is not tree)
    if kind is dict:
        return tuple(children), tuple(treedef.node_data()[1])
    if kind is OrderedDict:
        return children, tuple(tree)
    if kind is defaultdict:
        return children, (tree.default_factory, tuple(sorted(tree)))
    named, metadata = treedef.node_data()
    return (children, named) if metadata is None and hasattr(kind, "_fields") and not core.is_tree_node(kind) else (tuple(children), metadata)


def _put_together(kind, metadata, children):
    children = list(children)
    if kind in (list, tuple):
        return kind(children)
    if kind is type(None):
        return None
    if kind is dict or kind is OrderedDict:
        return kind(zip(metadata, children))
    if kind is defaultdict:
        return kind(metadata[0], zip(metadata[1], children))
    treedef = core.PyTreeDef.make_from_node_data_and_children((kind, metadata), [_LEAF] * len(children))
    return treedef.unflatten(children)


_RegistryEntry = namedtuple("_RegistryEntry", ["to_iter", "from_iter"])


class _Entries:
    """How each node type is taken apart: `jax._src.tree_util._registry`."""

    def __contains__(self, kind):
        return core.is_tree_node(kind)

    def __getitem__(self, kind):
        if kind not in self:
            raise KeyError(kind)
        return _RegistryEntry(_taken_apart, lambda metadata, children: _put_together(kind, metadata, children))

    def get(self, kind, default=None):
        return self[kind] if kind in self else default

    def __getattr__(self, name):
        return core.unknown(f"`{name}` of JAX's own registry is not modelled")


class PyTreeRegistry:
    def flatten_one_level(self, tree):
        return _taken_apart(tree)

    def flatten(self, tree, leaf_predicate=None):
        return core.tree_leaves(tree, leaf_predicate), core.tree_structure(tree, leaf_predicate)

    def __getattr__(self, name):
        return core.unknown(f"`{name}` of JAX's own registry is not modelled")


entries = _Entries()
default_registry = PyTreeRegistry()
