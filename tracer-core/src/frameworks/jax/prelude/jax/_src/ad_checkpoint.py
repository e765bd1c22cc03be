"""`jax._src.ad_checkpoint`: what its public module has."""
from jax._src._public import names as _names

__getattr__ = _names("jax._src.ad_checkpoint", "jax.ad_checkpoint", "jax")
