"""`numpy.polynomial.polynomial`."""
import numpy as np

from ._basis import Basis
from ._module import names

_BASIS = Basis("poly", [-1.0, 1.0], (0, 1), lambda k: 1, lambda k: 0, lambda k: 0)


def polyvalfromroots(x, r, tensor=True):
    r = np.array(r, ndmin=1)
    if r.dtype.kind in "?bBhHiIlLqQpPu":
        r = r.astype(np.double)
    if isinstance(x, (tuple, list)):
        x = np.asarray(x)
    if isinstance(x, np.ndarray):
        if tensor:
            r = r.reshape(r.shape + (1,) * x.ndim)
        elif x.ndim >= r.ndim:
            raise ValueError("x.ndim must be < r.ndim when tensor == False")
    return np.prod(x - r, axis=0)


globals().update(names(_BASIS, "Polynomial", conversions=False))


def __getattr__(name):
    from .. import _names
    return _names.missing("numpy.polynomial.polynomial", name)
