"""`jax.scipy.fft`: known by name only."""
from _jitlens import core

_UNMODELLED = frozenset("dct dctn idct idctn".split())


def __getattr__(name):
    if name in _UNMODELLED:
        return core.unmodelled("jax.scipy.fft." + name)
    raise AttributeError(f"module 'jax.scipy.fft' has no attribute {name!r}")
