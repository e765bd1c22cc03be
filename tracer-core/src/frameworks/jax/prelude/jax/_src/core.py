"""The core under its internal name."""
from _jitlens import core as _core


def __getattr__(name):
    import jax
    if name == "trace_state_clean":
        return _core.trace_state_clean
    for home in (jax.core, _extended()):
        found = getattr(home, name, None)
        if found is not None:
            return found
    return _core.unknown(f"`jax._src.core.{name}` is internal and not modelled")


def _extended():
    from jax.extend import core as home
    return home
