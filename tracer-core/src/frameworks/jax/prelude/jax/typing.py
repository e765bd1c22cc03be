"""`jax.typing`: names for annotations."""
from _jitlens import core

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()

DTypeLike = core.DTypeLike


def __getattr__(name):
    # A union is made when it is asked for: annotations are not run by most programs.
    if name == "ArrayLike":
        import typing
        import jax
        import numpy as np

        value = globals()[name] = typing.Union[jax.Array, np.ndarray, np.bool_, np.number, bool, int, float, complex]
        return value
    raise AttributeError(f"module 'jax.typing' has no attribute '{name}'")
