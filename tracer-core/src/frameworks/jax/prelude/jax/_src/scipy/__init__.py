"""Internal modules of `jax.scipy`."""
from jax._src._public import package as _package

__getattr__ = _package("jax._src.scipy", "cluster fft integrate linalg ndimage optimize signal sparse special stats")
