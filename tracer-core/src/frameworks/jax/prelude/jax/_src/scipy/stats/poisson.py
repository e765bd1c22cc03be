"""`jax._src.scipy.stats.poisson`: what its public module has."""
from jax._src._public import names as _names

__getattr__ = _names("jax._src.scipy.stats.poisson", "jax.scipy.stats.poisson")
