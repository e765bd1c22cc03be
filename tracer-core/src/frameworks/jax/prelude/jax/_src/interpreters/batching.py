"""`jax._src.interpreters.batching`: what its public module has."""
from jax._src._public import names as _names

__getattr__ = _names("jax._src.interpreters.batching", "jax.interpreters.batching")
