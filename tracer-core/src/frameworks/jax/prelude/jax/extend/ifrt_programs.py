"""`jax.extend.ifrt_programs`: not modelled."""
from .. import _unmodelled

__getattr__ = _unmodelled.names("jax.extend.ifrt_programs", "ifrt_programs")
