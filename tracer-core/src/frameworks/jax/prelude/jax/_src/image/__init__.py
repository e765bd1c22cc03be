"""Internal modules of `jax.image`."""
from jax._src._public import package as _package

__getattr__ = _package("jax._src.image", "scale")
