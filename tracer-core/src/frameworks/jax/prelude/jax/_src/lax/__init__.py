"""Internal modules of `jax.lax`, and what it has itself."""
from jax._src._public import package as _package

__getattr__ = _package("jax._src.lax", "ann control_flow convolution fft lax linalg other parallel slicing special windowed_reductions utils", "jax.lax")
