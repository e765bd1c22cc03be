"""Running of computations under its internal name."""
from _jitlens import core as _core


def wait_for_tokens():
    pass


def __getattr__(name):
    return _core.unknown(f"`jax._src.dispatch.{name}` is internal and not modelled")
