"""Functions of NumPy arrays: what they give is not known, and tracers are no NumPy arrays."""
import numpy as np
from _jitlens import core


def refuse_tracers(args, kwargs):
    """Raises for a tracer among the arguments, as turning it into a NumPy array does."""
    for value in core.tree_leaves((args, kwargs)):
        if core.is_tracer(value):
            np.asarray(value)


def functions(module, of_numbers=""):
    """A module-level `__getattr__`: every public name is a function of arrays, but for those that take plain numbers."""
    of_numbers = frozenset(of_numbers.split())

    def __getattr__(name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name in of_numbers or name[0].isupper():
            return core.unknown(f"`{module}.{name}` is not modelled")

        def function(*args, **kwargs):
            refuse_tracers(args, {})
            return core.unknown(f"`{module}.{name}` is not modelled")
        function.__name__ = name
        return function
    return __getattr__
