"""`jax.scipy.spatial.transform`: known by name only."""
from _jitlens import core

_UNMODELLED = frozenset("Rotation Slerp".split())


def __getattr__(name):
    if name in _UNMODELLED:
        return core.unmodelled("jax.scipy.spatial.transform." + name)
    raise AttributeError(f"module 'jax.scipy.spatial.transform' has no attribute {name!r}")
