"""`numpy.polynomial.laguerre`."""
import numpy as np

from ._basis import Basis
from ._module import names

_BASIS = Basis("lag", [0.0, 1.0], (1, -1), lambda k: -1 / (k + 1), lambda k: (2 * k + 1) / (k + 1), lambda k: k / (k + 1))


def laggauss(deg):
    return _BASIS.gauss(deg, 1.0)


def lagweight(x):
    return np.exp(-x)


globals().update(names(_BASIS, "Laguerre"))


def __getattr__(name):
    from .. import _names
    return _names.missing("numpy.polynomial.laguerre", name)
