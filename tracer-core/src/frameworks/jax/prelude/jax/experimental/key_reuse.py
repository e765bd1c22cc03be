"""`jax.experimental.key_reuse`: not modelled."""
from .. import _unmodelled

__getattr__ = _unmodelled.names("jax.experimental.key_reuse", "")
