"""`jax.experimental.serialize_executable`: not modelled."""
from .. import _unmodelled

__getattr__ = _unmodelled.names("jax.experimental.serialize_executable", "deserialize_and_load serialize")
