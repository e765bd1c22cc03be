"""`jax.experimental.jet`: not modelled."""
from .. import _unmodelled

__getattr__ = _unmodelled.names("jax.experimental.jet", "jet zero_series")
