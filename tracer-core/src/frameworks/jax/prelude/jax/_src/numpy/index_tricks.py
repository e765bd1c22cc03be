"""`jax._src.numpy.index_tricks`: what its public module has."""
from jax._src._public import names as _names

__getattr__ = _names("jax._src.numpy.index_tricks", "jax.numpy")
