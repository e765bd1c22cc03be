"""`jax.extend.pallas`: not modelled."""
from .. import _unmodelled

__getattr__ = _unmodelled.names("jax.extend.pallas", "GridMapping register_lowering_rule")
