"""`jax._src.interpreters.partial_eval`: what its public module has."""
from jax._src._public import names as _names

__getattr__ = _names("jax._src.interpreters.partial_eval", "jax.interpreters.partial_eval")
