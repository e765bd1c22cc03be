"""Internal modules of `jax.scipy.optimize`."""
from jax._src._public import package as _package

__getattr__ = _package("jax._src.scipy.optimize", "minimize")
