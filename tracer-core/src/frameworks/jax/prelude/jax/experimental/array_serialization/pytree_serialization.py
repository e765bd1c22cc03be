"""`jax.experimental.array_serialization.pytree_serialization`: not modelled."""
from ... import _unmodelled

__getattr__ = _unmodelled.names("jax.experimental.array_serialization.pytree_serialization", "save load load_pytreedef nonblocking_load nonblocking_save")
