"""`jax.experimental.sparse.random`: not modelled."""
from ... import _unmodelled

__getattr__ = _unmodelled.names("jax.experimental.sparse.random", "random_bcoo")
