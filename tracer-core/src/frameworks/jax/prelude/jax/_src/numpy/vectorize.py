"""`jax._src.numpy.vectorize`: what its public module has, and what reads a signature."""
from jax._src._public import names as _names
from jax.numpy._vectorize import _parse_signature


def _parse_gufunc_signature(signature):
    inputs, outputs = _parse_signature(signature)
    return inputs, outputs


__getattr__ = _names("jax._src.numpy.vectorize", "jax.numpy")
