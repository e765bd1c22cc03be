"""Internal modules of `jax.numpy`, and what it has itself."""
from jax._src._public import package as _package

__getattr__ = _package("jax._src.numpy", """
    array_constructors array_creation einsum fft index_tricks indexing lax_numpy linalg polynomial reductions
    scalar_types setops sorting tensor_contractions ufunc_api ufuncs vectorize window_functions util
    """, "jax.numpy")
