"""`jax.scipy.optimize`: known by name only."""
from _jitlens import core

_UNMODELLED = frozenset("OptimizeResults minimize".split())


def __getattr__(name):
    if name in _UNMODELLED:
        return core.unmodelled("jax.scipy.optimize." + name)
    raise AttributeError(f"module 'jax.scipy.optimize' has no attribute {name!r}")
