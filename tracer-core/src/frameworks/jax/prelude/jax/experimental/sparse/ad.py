"""`jax.experimental.sparse.ad`: not modelled."""
from ... import _unmodelled

__getattr__ = _unmodelled.names("jax.experimental.sparse.ad", "grad jacfwd jacobian jacrev value_and_grad")
