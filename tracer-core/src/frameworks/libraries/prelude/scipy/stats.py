"""`scipy.stats`: distributions, whose numbers are not known; only their types are."""

import numpy as np
from _jitlens import core
from _jitlens.python import unknown

from ._arrays import refuse_tracers

_DISCRETE = "bernoulli binom geom hypergeom nbinom poisson randint".split()
_CONTINUOUS = """beta cauchy chi2 dirichlet expon exponnorm f gamma gumbel_l gumbel_r halfnorm invgamma laplace logistic lognorm norm pareto
    rayleigh t truncexpon truncnorm uniform vonmises weibull_min""".split()


class _Distribution:
    def __init__(self, name):
        self._name = name
        self._type = core.named_dtype("int64" if name in _DISCRETE else "float64")

    def __call__(self, *args, **kwargs):
        return _Frozen(self, args, kwargs)

    def rvs(self, *args, loc=0, scale=1, size=None, random_state=None):
        parameters = [x for x in (*args, loc, scale) if np.ndim(x)]
        if size is None and not parameters:
            return unknown("int" if self._type.kind == "i" else "float", "a random number of SciPy")
        shape = np.broadcast_shapes(*[np.shape(x) for x in parameters]) if size is None else size
        return core.numpy_opaque((shape,) if isinstance(shape, int) else tuple(shape), self._type)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name not in ("pdf", "logpdf", "pmf", "logpmf", "cdf", "logcdf", "ppf", "sf", "isf", "logsf"):
            return unknown("", f"`scipy.stats.{self._name}.{name}` is not modelled")

        def function(x, *args, **kwargs):
            refuse_tracers((x, *args), kwargs)
            shape = np.broadcast_shapes(*[np.shape(v) for v in (x, *args, *kwargs.values())])
            return core.numpy_opaque(shape, core.named_dtype("float64"))
        return function


class _Frozen:
    def __init__(self, distribution, args, kwargs):
        self._distribution, self._args, self._kwargs = distribution, args, kwargs

    def rvs(self, size=None, random_state=None):
        return self._distribution.rvs(*self._args, size=size, random_state=random_state, **self._kwargs)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(self._distribution, name)
        return lambda *xs: found(*xs, *self._args, **self._kwargs)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    if name in _DISCRETE or name in _CONTINUOUS:
        found = globals()[name] = _Distribution(name)
        return found
    return unknown("", f"`scipy.stats.{name}` is not modelled")
