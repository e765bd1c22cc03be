"""Internal modules of `jax.ops`."""
from jax._src._public import package as _package

__getattr__ = _package("jax._src.ops", "scatter special")
