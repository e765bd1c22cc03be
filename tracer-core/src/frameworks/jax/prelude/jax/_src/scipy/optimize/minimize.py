"""`jax._src.scipy.optimize.minimize`: what its public module has."""
from jax._src._public import names as _names

__getattr__ = _names("jax._src.scipy.optimize.minimize", "jax.scipy.optimize")
