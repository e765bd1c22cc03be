"""`jax._src.scipy.stats.norm`: what its public module has."""
from jax._src._public import names as _names

__getattr__ = _names("jax._src.scipy.stats.norm", "jax.scipy.stats.norm")
