"""`numpy.polynomial.legendre`."""
import numpy as np

from ._basis import Basis
from ._module import names

_BASIS = Basis("leg", [-1.0, 1.0], (0, 1), lambda k: (2 * k + 1) / (k + 1), lambda k: 0, lambda k: k / (k + 1))


def leggauss(deg):
    return _BASIS.gauss(deg, 2.0)


def legweight(x):
    return x * 0.0 + 1.0


globals().update(names(_BASIS, "Legendre"))


def __getattr__(name):
    from .. import _names
    return _names.missing("numpy.polynomial.legendre", name)
