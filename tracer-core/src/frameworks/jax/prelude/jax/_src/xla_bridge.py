"""`jax._src.xla_bridge`: what its public module has."""
from jax._src._public import names as _names

__getattr__ = _names("jax._src.xla_bridge", "jax.extend.backend", "jax")
