"""`jax.experimental.array_serialization`: not modelled."""
from ... import _unmodelled

__getattr__ = _unmodelled.names("jax.experimental.array_serialization", "")
