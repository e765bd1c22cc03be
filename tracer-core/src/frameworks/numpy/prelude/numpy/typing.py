"""`numpy.typing`."""
from numpy import ndarray

NDArray = ndarray
ArrayLike = object
DTypeLike = object


def __getattr__(name):
    from . import _names
    return _names.missing("numpy.typing", name)
