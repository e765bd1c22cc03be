"""`numpy.fft`: the functions of `jax.numpy.fft` on NumPy's arrays."""
from _jitlens import core

from . import _names


def __getattr__(name):
    import jax.numpy as jnp
    inner = None if name.startswith("_") or name not in _names.of("numpy.fft") else getattr(jnp.fft, name, None)
    if inner is None:
        return _names.missing("numpy.fft", name)

    def function(*args, **kwargs):
        if args and name not in ("fftfreq", "rfftfreq"):
            a = core.numpy_array(args[0])
            args = ((a.astype("float64") if a.dtype.kind in "bui" else a),) + args[1:]
        return core.numpy_call(inner, name, args, kwargs)
    function.__name__ = name
    globals()[name] = function
    return function
