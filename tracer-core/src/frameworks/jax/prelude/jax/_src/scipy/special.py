"""`jax._src.scipy.special`: what its public module has."""
from jax._src._public import names as _names

__getattr__ = _names("jax._src.scipy.special", "jax.scipy.special")
