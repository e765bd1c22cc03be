"""`jax.scipy.optimize`: what it refuses; what it finds is not modelled."""
from _jitlens import core

_UNMODELLED = frozenset("OptimizeResults".split())


def minimize(fun, x0, args=(), *, method, tol=None, options=None):
    if not isinstance(args, tuple):
        raise TypeError(f"args argument to jax.scipy.optimize.minimize must be a tuple, got {args}")
    if method.lower() not in ("bfgs", "l-bfgs-experimental-do-not-rely-on-this"):
        raise ValueError(f"Method {method} not recognized")
    return core.unmodelled("jax.scipy.optimize.minimize")


def __getattr__(name):
    if name in _UNMODELLED:
        return core.unmodelled("jax.scipy.optimize." + name)
    raise AttributeError(f"module 'jax.scipy.optimize' has no attribute {name!r}")
