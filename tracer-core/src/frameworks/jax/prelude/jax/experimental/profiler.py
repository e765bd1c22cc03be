"""`jax.experimental.profiler`: not modelled."""
from .. import _unmodelled

__getattr__ = _unmodelled.names("jax.experimental.profiler", "get_profiled_instructions_proto")
