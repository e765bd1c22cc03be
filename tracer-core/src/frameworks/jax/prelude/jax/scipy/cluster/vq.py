"""`jax.scipy.cluster.vq`: known by name only."""
from _jitlens import core

_UNMODELLED = frozenset("vq".split())


def __getattr__(name):
    if name in _UNMODELLED:
        return core.unmodelled("jax.scipy.cluster.vq." + name)
    raise AttributeError(f"module 'jax.scipy.cluster.vq' has no attribute {name!r}")
