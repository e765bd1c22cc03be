"""`jax.experimental.control_deps`: not modelled."""
from .. import _unmodelled

__getattr__ = _unmodelled.names("jax.experimental.control_deps", "control_dep schedule")
