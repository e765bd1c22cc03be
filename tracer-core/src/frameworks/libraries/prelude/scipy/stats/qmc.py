"""`scipy.stats.qmc`: points that fill a cube evenly; their numbers are not known."""

from .. import _arrays
from .._arrays import opaque

__getattr__ = _arrays.unmodelled("scipy.stats.qmc")


class QMCEngine:
    def __init__(self, d, **options):
        self.d = int(d)

    def random(self, n=1, *, workers=1):
        return opaque((int(n), self.d), "float64")

    def reset(self):
        return self

    def fast_forward(self, n):
        return self


class Sobol(QMCEngine):
    def random_base2(self, m):
        return self.random(2 ** int(m))


class Halton(QMCEngine):
    pass


class LatinHypercube(QMCEngine):
    pass
