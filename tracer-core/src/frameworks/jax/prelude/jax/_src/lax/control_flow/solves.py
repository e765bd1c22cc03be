"""`jax._src.lax.control_flow.solves`: what its public module has."""
from jax._src._public import names as _names

__getattr__ = _names("jax._src.lax.control_flow.solves", "jax.lax")
