"""`numpy.fft`: the functions of `jax.numpy.fft` on NumPy's arrays."""
from _jitlens import core


def __getattr__(name):
    import jax.numpy as jnp
    if name == "LinAlgError":
        return ValueError
    inner = getattr(jnp.fft, name, None)
    if inner is None:
        raise AttributeError(f"module 'numpy.fft' has no attribute {name!r}")

    def function(*args, **kwargs):
        return core.numpy_call(inner, name, args, kwargs)
    function.__name__ = name
    return function
