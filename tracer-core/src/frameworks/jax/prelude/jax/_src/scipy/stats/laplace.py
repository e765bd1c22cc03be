"""`jax._src.scipy.stats.laplace`: what its public module has."""
from jax._src._public import names as _names

__getattr__ = _names("jax._src.scipy.stats.laplace", "jax.scipy.stats.laplace")
