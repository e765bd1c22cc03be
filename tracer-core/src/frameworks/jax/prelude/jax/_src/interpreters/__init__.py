"""Internal modules of `jax.interpreters`."""
from jax._src._public import package as _package

__getattr__ = _package("jax._src.interpreters", "ad batching mlir partial_eval pxla")
