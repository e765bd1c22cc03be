"""`scipy.stats`: distributions and tests, of whose numbers only random ones are known; of all others their types are."""

import numpy as np
from _jitlens import core
from _jitlens.python import called_again, is_unknown, unknown
from numpy.random._given import lose

from ._draws import drawn
from .._arrays import floating, numbers, opaque, refuse_tracers

# Distributions by how many parameters they have beside place and scale.
_DISCRETE = {
    1: """
        bernoulli dlaplace geom logser planck poisson poisson_binom yulesimon zipf
    """,
    2: """
        binom boltzmann nbinom randint skellam zipfian
    """,
    3: """
        betabinom betanbinom hypergeom nhypergeom
    """,
    4: """
        nchypergeom_fisher nchypergeom_wallenius
    """,
}
_CONTINUOUS = {
    0: """
        anglit arcsine cauchy cosine expon gibrat gumbel_l gumbel_r halfcauchy halflogistic halfnorm hypsecant kstwobign landau
        laplace levy levy_l logistic maxwell moyal norm rayleigh semicircular uniform wald
    """,
    1: """
        alpha argus bradford chi chi2 dgamma dweibull erlang exponnorm exponpow fatiguelife fisk foldcauchy foldnorm gamma
        genextreme genhalflogistic genlogistic gennorm genpareto gompertz halfgennorm invgamma invgauss invweibull irwinhall
        kappa3 ksone kstwo laplace_asymmetric loggamma loglaplace lognorm lomax nakagami pareto pearson3 powerlaw powernorm
        rdist recipinvgauss rel_breitwigner rice skewcauchy skewnorm t triang truncexpon tukeylambda vonmises vonmises_line
        weibull_max weibull_min wrapcauchy
    """,
    2: """
        beta betaprime burr burr12 crystalball exponweib f gengamma geninvgauss jf_skew_t johnsonsb johnsonsu kappa4 levy_stable
        loguniform mielke nct ncx2 norminvgauss powerlognorm reciprocal studentized_range trapezoid truncnorm truncpareto
    """,
    3: """
        genexpon genhyperbolic ncf truncweibull_min
    """,
    4: """
        dpareto_lognorm gausshyper
    """,
}
_PARAMETERS = {}
for _discrete, _table in ((True, _DISCRETE), (False, _CONTINUOUS)):
    for _count, _names in _table.items():
        for _name in _names.split():
            _PARAMETERS[_name] = _count, _discrete


def _shape_of(size):
    return (int(size),) if np.ndim(size) == 0 else tuple([int(n) for n in size])


class _Distribution:
    def __init__(self, name):
        self._name = self.name = name
        self.numargs, self._discrete = _PARAMETERS[name]
        self._type = "int64" if self._discrete else "float64"

    def __call__(self, *args, **kwargs):
        refuse_tracers(args, kwargs)
        return _Frozen(self, args, kwargs)

    def _placed(self, args, kwargs):
        """The parameters themselves where they are given by place, where the distribution stands, and its scale; None by other names."""
        kwargs = dict(kwargs)
        own, rest = args[:self.numargs], args[self.numargs:]
        place = rest[0] if rest else kwargs.pop("loc", 0)
        scale = rest[1] if len(rest) > 1 and not self._discrete else kwargs.pop("scale", 1)
        return None if len(own) < self.numargs or set(kwargs) - {"size", "random_state"} else (own, place, scale)

    def _parameters(self, args, kwargs, after=()):
        """The shape of parameters, and what comes after place and scale."""
        count = self.numargs + (1 if self._discrete else 2)
        kwargs = dict(kwargs)
        rest = dict(zip(after, args[count:]))
        for key in after:
            if key in kwargs:
                rest[key] = kwargs.pop(key)
        refuse_tracers(args[:count], kwargs)
        return np.broadcast_shapes(*[np.shape(x) for x in (*args[:count], *kwargs.values())]), rest

    def rvs(self, *args, **kwargs):
        shape, rest = self._parameters(args, kwargs, ("size", "random_state"))
        size, random_state = rest.get("size"), rest.get("random_state")
        of_draw = shape if size is None else _shape_of(size)
        placed = self._placed(args, kwargs)
        if placed is None or shape:
            lose(random_state)
            found = None
        else:
            own, place, scale = placed
            if not is_unknown(scale) and scale == 0:
                return place * np.ones(of_draw)
            found = drawn(self._name, own, of_draw, random_state)
        if found is not None and self._discrete:
            return found + place if of_draw else int(found + place)
        if found is not None:
            return (found if of_draw else np.float64(found)) * scale + place
        return unknown("int", "a random number of SciPy") if self._discrete and not of_draw else opaque(of_draw, self._type)

    def fit(self, data, *args, **kwargs):
        refuse_tracers((data,), {})
        if self._discrete or args or kwargs:
            return core.unknown(f"what `scipy.stats.{self._name}.fit` finds")
        return tuple([opaque((), "float64") for _ in range(self.numargs + 2)])

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name in ("mean", "std"):
            def moment(*args, **kwargs):
                shape, _ = self._parameters(args, kwargs)
                return opaque((), "float64") if not shape and not self._discrete else unknown("", "a moment of a distribution")
            return moment
        if name not in ("pdf", "logpdf", "pmf", "logpmf", "cdf", "logcdf", "ppf", "sf", "isf", "logsf"):
            return unknown("", f"`scipy.stats.{self._name}.{name}` is not modelled")

        def function(x, *args, **kwargs):
            refuse_tracers((x,), {})
            shape, _ = self._parameters(args, kwargs)
            return opaque(np.broadcast_shapes(np.shape(x), shape), "float64")
        return function


class _Frozen:
    def __init__(self, distribution, args, kwargs):
        self.dist, self.args, self.kwds = distribution, args, kwargs

    def rvs(self, size=None, random_state=None):
        return self.dist.rvs(*self.args, size=size, random_state=random_state, **self.kwds)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(self.dist, name)
        return lambda *xs: found(*xs, *self.args, **self.kwds)


class _Normal:
    """`multivariate_normal`, with parameters or without."""

    def __init__(self, mean=None, cov=1, frozen=True):
        refuse_tracers((mean, cov), {})
        self._frozen = frozen
        if frozen:
            size = max(1 if mean is None else numbers(mean).size, numbers(cov).shape[0] if np.ndim(cov) else 1)
            self.dim, self.mean, self.cov = size, opaque((size,), "float64"), opaque((size, size), "float64")

    def __call__(self, mean=None, cov=1, allow_singular=False, seed=None, **options):
        return _Normal(mean, cov)

    def _with(self, args, kwargs, names):
        """The distribution of parameters that are given with the call, and what else is."""
        more = dict(zip(names if self._frozen else ("mean", "cov", *names), args))
        more.update(kwargs)
        return (self if self._frozen else _Normal(more.pop("mean", None), more.pop("cov", 1))), more

    def rvs(self, *args, **kwargs):
        known, more = self._with(args, kwargs, ("size", "random_state"))
        lose(more.get("random_state"))
        shape = _shape_of(more.get("size", 1))
        shape = (shape if shape != (1,) else ()) + ((known.dim,) if known.dim > 1 else ())
        return opaque(shape, "float64") if shape else core.unknown("a random number of SciPy")

    def _density(self, x, *args, **kwargs):
        x = numbers(x)
        known, _ = self._with(args, kwargs, ("allow_singular",))
        if known.dim == 1 and x.ndim < 2:
            return opaque(x.shape, "float64")
        if known.dim == 1 or x.ndim == 0 or x.shape[-1] != known.dim:
            return core.unknown("points of other axes")
        return opaque(x.shape[:-1], "float64")

    pdf = logpdf = _density

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return unknown("", f"`scipy.stats.multivariate_normal.{name}` is not modelled")


multivariate_normal = _Normal(frozen=False)


class _Group:
    """Random matrices of a size."""

    def __init__(self, dtype, dim=None):
        self._type, self._dim = dtype, dim

    def __call__(self, dim=None, seed=None):
        return _Group(self._type, int(dim))

    def rvs(self, *args, **kwargs):
        more = dict(zip(("size", "random_state") if self._dim is not None else ("dim", "size", "random_state"), args))
        more.update(kwargs)
        lose(more.get("random_state"))
        dim, size = self._dim if self._dim is not None else int(more["dim"]), int(more.get("size", 1))
        return opaque((() if size == 1 else (size,)) + (dim, dim), self._type)


ortho_group, special_ortho_group, unitary_group = _Group("float64"), _Group("float64"), _Group("complex128")


class _Dirichlet:
    def rvs(self, alpha, size=1, random_state=None):
        alpha = numbers(alpha)
        lose(random_state)
        return core.unknown("no size") if size is None else opaque(_shape_of(size) + alpha.shape, "float64")

    def __call__(self, alpha, seed=None):
        return unknown("", "`scipy.stats.dirichlet` with parameters is not modelled")

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return unknown("", f"`scipy.stats.dirichlet.{name}` is not modelled")


dirichlet = _Dirichlet()


class gaussian_kde:
    def __init__(self, dataset, bw_method=None, weights=None):
        refuse_tracers((dataset, weights), {})
        data = np.atleast_2d(numbers(dataset))
        if data.dtype.name not in ("float64", "int64") or data.ndim != 2:
            return core.unknown("a density of these numbers")
        called_again([bw_method] if callable(bw_method) else [])
        self.d, self.n = data.shape
        self.dataset = data
        self.covariance = opaque((self.d, self.d), "float64")

    def evaluate(self, points):
        points = np.atleast_2d(numbers(points))
        if points.shape[0] != self.d or points.dtype.name not in ("float64", "float32", "int64"):
            return core.unknown("points of other axes")
        return opaque(points.shape[1:], "float64")

    __call__ = pdf = logpdf = evaluate

    def resample(self, size=None, seed=None):
        lose(seed)
        return core.unknown("as many points as weights make") if size is None else opaque((self.d, int(size)), "float64")

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return unknown("", "what a density knows")


def zscore(a, axis=0, ddof=0, nan_policy="propagate"):
    a = numbers(a)
    if a.ndim == 0 or nan_policy != "propagate" or a.dtype.name not in ("float32", "float64", "int64", "int32"):
        return core.unknown("scores of these numbers")
    return opaque(a.shape, floating(a.dtype))


class _Result(tuple):
    """The statistic of a test and how likely it is."""

    @property
    def statistic(self):
        return self[0]

    @property
    def pvalue(self):
        return self[1]

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return unknown("", "what a test tells")


def _test(name, count):
    def function(*samples, **kwargs):
        refuse_tracers(samples, kwargs)
        arrays = [numbers(s) for s in samples[:count]]
        if len(samples) != count or set(kwargs) - {"alternative", "equal_var"} or not all(
                [a.ndim == 1 and a.dtype.name in ("float64", "int64") for a in arrays]):
            return core.unknown(f"`scipy.stats.{name}` of these samples")
        return _Result((opaque((), "float64"), opaque((), "float64")))
    function.__name__ = name
    return function


for _name in "pearsonr spearmanr kendalltau ttest_ind ttest_rel mannwhitneyu ks_2samp wilcoxon".split():
    globals()[_name] = _test(_name, 2)


def _statistic(name, default):
    def function(a, *args, axis=default, **kwargs):
        refuse_tracers((a, *args), kwargs)
        a = numbers(a)
        if args or set(kwargs) - {"base", "ddof", "bias", "fisher"} or a.ndim == 0 or a.dtype.name not in ("float64", "int64"):
            return core.unknown(f"`scipy.stats.{name}` of these numbers")
        if axis is None:
            return opaque((), "float64")
        axis = axis % a.ndim
        return opaque(a.shape[:axis] + a.shape[axis + 1:], "float64")
    function.__name__ = name
    return function


skew, kurtosis, sem, gmean, entropy = [_statistic(name, 0) for name in ("skew", "kurtosis", "sem", "gmean", "entropy")]


def bootstrap(data, statistic, *args, **kwargs):
    called_again([statistic])
    return unknown("", "`scipy.stats.bootstrap` is not modelled")


def permutation_test(data, statistic, *args, **kwargs):
    called_again([statistic])
    return unknown("", "`scipy.stats.permutation_test` is not modelled")


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    if name == "qmc":
        from importlib import import_module
        return import_module("scipy.stats.qmc")
    if name in _PARAMETERS:
        found = globals()[name] = _Distribution(name)
        return found
    return unknown("", f"`scipy.stats.{name}` is not modelled")
