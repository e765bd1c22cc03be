"""The core under its internal name."""
from _jitlens import core as _core


def __getattr__(name):
    import jax
    found = getattr(jax.core, name, None)
    return _core.unknown(f"`jax._src.core.{name}` is internal and not modelled") if found is None else found
