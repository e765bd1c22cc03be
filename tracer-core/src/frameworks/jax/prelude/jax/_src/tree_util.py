"""Pytrees under their internal name."""
from _jitlens import core as _core
from jax._tree_registry import entries as _registry  # noqa: F401
from jax.tree_util import *  # noqa: F401,F403


def __getattr__(name):
    return _core.unknown(f"`jax._src.tree_util.{name}` is internal and not modelled")
