"""Internals of `jax.numpy` that libraries lean on: only those names; the rest is unknown."""
from _jitlens import core as _core


def __getattr__(name):
    if name == "einsum":
        import importlib
        return importlib.import_module("jax._src.numpy.einsum")
    return _core.unknown(f"`jax._src.numpy.{name}` is internal and not modelled")
