"""Internal modules of `jax.scipy.cluster`."""
from jax._src._public import package as _package

__getattr__ = _package("jax._src.scipy.cluster", "vq")
