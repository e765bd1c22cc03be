"""Internals of JAX that libraries lean on: only those names; the rest is unknown."""
from _jitlens import core as _core

_MODULES = ("api_util", "core", "dispatch", "dtypes", "literals", "numpy", "state", "traceback_util", "tree_util", "util")


def __getattr__(name):
    if name in _MODULES:
        import importlib
        return importlib.import_module("jax._src." + name)
    return _core.unknown(f"`jax._src.{name}` is internal and not modelled")
