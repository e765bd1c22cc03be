"""Internals of the API: unknown."""
from _jitlens import core as _core


def __getattr__(name):
    return _core.unknown(f"`jax._src.api_util.{name}` is internal and not modelled")
