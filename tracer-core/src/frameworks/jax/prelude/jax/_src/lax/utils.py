"""Helpers of primitives under their internal name."""
from jax._src._public import names as _names

__getattr__ = _names("jax._src.lax.utils")
