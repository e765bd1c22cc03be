"""`numpy.polynomial.hermite_e`."""
import numpy as np

from ._basis import Basis
from ._module import names

_BASIS = Basis("herme", [-1.0, 1.0], (0, 1), lambda k: 1, lambda k: 0, lambda k: k)


def hermegauss(deg):
    return _BASIS.gauss(deg, (2 * np.pi) ** 0.5)


def hermeweight(x):
    return np.exp(-0.5 * x ** 2)


globals().update(names(_BASIS, "HermiteE"))


def __getattr__(name):
    from .. import _names
    return _names.missing("numpy.polynomial.hermite_e", name)
