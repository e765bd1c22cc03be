"""`jax.experimental.array_serialization.serialization`: not modelled."""
from ... import _unmodelled

__getattr__ = _unmodelled.names("jax.experimental.array_serialization.serialization", """
    GlobalAsyncCheckpointManager GlobalAsyncCheckpointManagerBase run_deserialization run_serialization
    async_serialize async_deserialize get_tensorstore_spec
    """)
