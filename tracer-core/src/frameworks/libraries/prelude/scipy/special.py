"""`scipy.special`: the functions that JAX has too, on NumPy's arrays."""

from _jitlens import core
from _jitlens.python import unknown


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    import jax.scipy.special as special
    inner = getattr(special, name, None)
    if inner is None or not callable(inner):
        return unknown("", f"`scipy.special.{name}` is not modelled")

    def function(*args, **kwargs):
        return core.numpy_call(inner, name, args, kwargs)
    function.__name__ = name
    globals()[name] = function
    return function
