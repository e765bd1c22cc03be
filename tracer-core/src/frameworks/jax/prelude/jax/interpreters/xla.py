"""`jax.interpreters.xla`: not modelled."""
from .. import _unmodelled

__getattr__ = _unmodelled.names("jax.interpreters.xla", "Backend apply_primitive canonicalize_dtype_handlers")
