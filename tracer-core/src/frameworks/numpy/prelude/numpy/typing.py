"""`numpy.typing`."""
from numpy import ndarray

NDArray = ndarray
ArrayLike = object
DTypeLike = object
