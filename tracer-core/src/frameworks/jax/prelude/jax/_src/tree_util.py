"""Pytrees under their internal name."""
from _jitlens import core as _core
from jax.tree_util import *  # noqa: F401,F403


class _Registry:
    """Which types are nodes."""

    def __contains__(self, nodetype):
        return _core.is_tree_node(nodetype)


_registry = _Registry()


def __getattr__(name):
    return _core.unknown(f"`jax._src.tree_util.{name}` is internal and not modelled")
