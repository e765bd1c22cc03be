"""`jax.experimental.sparse.linalg`: not modelled."""
from ... import _unmodelled

__getattr__ = _unmodelled.names("jax.experimental.sparse.linalg", "lobpcg_standard spsolve")
