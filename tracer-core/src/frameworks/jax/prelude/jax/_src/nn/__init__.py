"""Internal modules of `jax.nn`."""
from jax._src._public import package as _package

__getattr__ = _package("jax._src.nn", "functions initializers")
