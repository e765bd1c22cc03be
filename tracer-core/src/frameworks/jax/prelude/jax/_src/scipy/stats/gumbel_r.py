"""`jax._src.scipy.stats.gumbel_r`: what its public module has."""
from jax._src._public import names as _names

__getattr__ = _names("jax._src.scipy.stats.gumbel_r", "jax.scipy.stats.gumbel_r")
