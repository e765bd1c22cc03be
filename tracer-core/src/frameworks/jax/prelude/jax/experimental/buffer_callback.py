"""`jax.experimental.buffer_callback`: not modelled."""
from .. import _unmodelled

__getattr__ = _unmodelled.names("jax.experimental.buffer_callback", "Buffer ExecutionContext ExecutionStage buffer_callback")
