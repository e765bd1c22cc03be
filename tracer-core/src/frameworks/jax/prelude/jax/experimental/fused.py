"""`jax.experimental.fused`: not modelled."""
from .. import _unmodelled

__getattr__ = _unmodelled.names("jax.experimental.fused", "fused")
