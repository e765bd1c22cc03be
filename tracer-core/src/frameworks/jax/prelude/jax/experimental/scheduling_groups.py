"""`jax.experimental.scheduling_groups`: not modelled."""
from .. import _unmodelled

__getattr__ = _unmodelled.names("jax.experimental.scheduling_groups", "scheduling_group xla_metadata_call")
