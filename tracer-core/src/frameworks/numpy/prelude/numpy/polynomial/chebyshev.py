"""`numpy.polynomial.chebyshev`."""
import numpy as np

from ._basis import Basis
from ._module import names

from . import polyutils as pu

_BASIS = Basis("cheb", [-1.0, 1.0], (0, 1), lambda k: 2, lambda k: 0, lambda k: 1)


def chebgauss(deg):
    count = pu.as_int(deg, "deg")
    if count <= 0:
        raise ValueError("deg must be a positive integer")
    return np.cos(np.pi * np.arange(1, 2 * count, 2) / (2.0 * count)), np.ones(count) * (np.pi / count)


def chebweight(x):
    return 1.0 / (np.sqrt(1.0 + x) * np.sqrt(1.0 - x))


def chebpts1(npts):
    count = int(npts)
    if count != npts:
        raise ValueError("npts must be integer")
    if count < 1:
        raise ValueError("npts must be >= 1")
    return np.sin(0.5 * np.pi / count * np.arange(-count + 1, count + 1, 2))


def chebpts2(npts):
    count = int(npts)
    if count != npts:
        raise ValueError("npts must be integer")
    if count < 2:
        raise ValueError("npts must be >= 2")
    return np.cos(np.linspace(-np.pi, 0, count))


def chebinterpolate(func, deg, args=()):
    deg = np.asarray(deg)
    if deg.ndim > 0 or deg.dtype.kind not in "iu" or deg.size == 0:
        raise TypeError("deg must be an int")
    if deg < 0:
        raise ValueError("expected deg >= 0")
    order = int(deg) + 1
    points = chebpts1(order)
    c = np.dot(_BASIS.vander(points, int(deg)).T, func(points, *args))
    return np.concatenate([c[:1] / order, c[1:] / (0.5 * order)])


globals().update(names(_BASIS, "Chebyshev"))


def __getattr__(name):
    from .. import _names
    return _names.missing("numpy.polynomial.chebyshev", name)
