"""`jax.scipy.interpolate`: known by name only."""
from _jitlens import core

_UNMODELLED = frozenset("RegularGridInterpolator".split())


def __getattr__(name):
    if name in _UNMODELLED:
        return core.unmodelled("jax.scipy.interpolate." + name)
    raise AttributeError(f"module 'jax.scipy.interpolate' has no attribute {name!r}")
