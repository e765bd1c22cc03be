"""`gaussian_kde`: densities from samples."""
import math

from _jitlens import core

from ... import numpy as jnp, random
from ..._vmap import vmap
from ...tree_util import register_pytree_node_class
from .. import linalg, special


@register_pytree_node_class
class gaussian_kde:
    __module__ = "jax._src.scipy.stats.kde"
    _fields = ("neff", "dataset", "weights", "covariance", "inv_cov")

    def __init__(self, dataset, bw_method=None, weights=None):
        core.check_arraylike("gaussian_kde", dataset)
        dataset = jnp.atleast_2d(dataset)
        if dataset.dtype.kind == "c":
            raise NotImplementedError("gaussian_kde does not support complex data")
        if dataset.size <= 1:
            raise ValueError("`dataset` input should have multiple elements.")
        d, n = dataset.shape
        if weights is None:
            dataset, = core.promote_dtypes_inexact(dataset)
            weights = jnp.full(n, 1.0 / n, dtype=dataset.dtype)
        else:
            core.check_arraylike("gaussian_kde", weights)
            dataset, weights = core.promote_dtypes_inexact(dataset, weights)
            weights = jnp.atleast_1d(weights)
            weights = weights / weights.sum()
            if weights.ndim != 1:
                raise ValueError("`weights` input should be one-dimensional.")
            if weights.shape[0] != n:
                raise ValueError("`weights` input should be of length n")
        self._fill(neff=1 / jnp.sum(weights**2), dataset=dataset, weights=weights)
        factor = self._factor("scott" if bw_method is None else bw_method, d)
        spread = jnp.atleast_2d(jnp.cov(dataset, rowvar=1, bias=False, aweights=weights))
        self._fill(covariance=spread * factor**2, inv_cov=jnp.linalg.inv(spread) / factor**2)

    def _factor(self, method, d):
        if isinstance(method, str) and method in ("scott", "silverman"):
            size = self.neff if method == "scott" else self.neff * (d + 2) / 4.0
            return jnp.power(size, -1.0 / (d + 4))
        if not isinstance(method, str) and jnp.isscalar(method):
            return method
        if callable(method):
            return method(self)
        raise ValueError("`bw_method` should be 'scott', 'silverman', a scalar, or a callable.")

    def _fill(self, **fields):
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name, value):
        from dataclasses import FrozenInstanceError
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def tree_flatten(self):
        return tuple([getattr(self, name) for name in self._fields]), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        new = cls.__new__(cls)
        new._fill(**dict(zip(cls._fields, children)))
        return new

    @property
    def d(self):
        return self.dataset.shape[0]

    @property
    def n(self):
        return self.dataset.shape[1]

    def evaluate(self, points):
        return self._density("evaluate", points, lambda logs, weights: jnp.sum(weights * jnp.exp(logs), axis=-1))

    __call__ = evaluate

    def pdf(self, x):
        return self.evaluate(x)

    def logpdf(self, x):
        return self._density("logpdf", x, lambda logs, weights: special.logsumexp(jnp.log(weights) + logs, axis=-1))

    def _density(self, name, points, reduce):
        """For each point what `reduce` makes of the logarithms of all kernels there, and of their weights."""
        core.check_arraylike(name, points)
        if core.dtype(points).kind == "c":
            raise NotImplementedError("gaussian_kde does not support complex coordinates")
        points = jnp.atleast_2d(points)
        d, m = points.shape
        if d != self.d:
            if d != 1 or m != self.d:
                raise ValueError(f"points have dimension {d}, dataset has dimension {self.d}")
            points = points.reshape(self.d, 1)
        return core.jit(lambda *parts: _kernels(reduce, *parts))(self.dataset.T, self.weights, points.T, self.inv_cov)

    def integrate_gaussian(self, mean, cov):
        mean, cov = jnp.atleast_1d(jnp.squeeze(mean)), jnp.atleast_2d(cov)
        if mean.shape != (self.d,):
            raise ValueError(f"mean does not have dimension {self.d}")
        if cov.shape != (self.d, self.d):
            raise ValueError(f"covariance does not have dimension {self.d}")
        return self._overlap(self.covariance + cov)(mean)

    def integrate_kde(self, other):
        if other.d != self.d:
            raise ValueError("KDEs are not the same dimensionality")
        small, large = (self, other) if self.n < other.n else (other, self)
        found = vmap(large._overlap(self.covariance + other.covariance), in_axes=1)(small.dataset)
        return jnp.sum(found * small.weights)

    def _overlap(self, cov):
        """The integral of the density times that of a Gaussian with such a mean."""
        chol = linalg.cho_factor(cov)
        norm = 1.0 / (jnp.sqrt(2 * math.pi) ** self.d * jnp.prod(jnp.diag(chol[0])))

        def of_mean(mean):
            apart = self.dataset - mean[:, None]
            return norm * jnp.sum(self.weights * jnp.exp(-0.5 * jnp.sum(apart * linalg.cho_solve(chol, apart), axis=0)))
        return of_mean

    def integrate_box_1d(self, low, high):
        return core.jit(_box)(self, low, high)

    def resample(self, key, shape=()):
        def sample(kde, key):
            which, noise = random.split(key)
            at = random.choice(which, kde.n, shape=shape, p=kde.weights)
            zero = jnp.zeros(kde.d, kde.covariance.dtype)
            return kde.dataset[:, at] + random.multivariate_normal(noise, zero, kde.covariance, shape=shape, dtype=kde.dataset.dtype).T
        return core.jit(sample)(self, key)

    def integrate_box(self, low_bounds, high_bounds, maxpts=None):
        raise NotImplementedError("only 1D box integrations are supported; use `integrate_box_1d`")

    def set_bandwidth(self, bw_method=None):
        raise NotImplementedError("dynamically changing the bandwidth method is not supported")


def _kernels(reduce, samples, weights, points, precision):
    samples, weights, points, precision = core.promote_dtypes_inexact(samples, weights, points, precision)
    whiten = linalg.cholesky(precision, lower=True)
    norm = jnp.sum(jnp.log(jnp.diag(whiten))) - 0.5 * samples.shape[1] * jnp.log(2 * math.pi)
    samples, points = samples @ whiten, points @ whiten
    return reduce(norm - 0.5 * jnp.sum((points[:, None] - samples[None]) ** 2, axis=-1), weights)


def _box(kde, low, high):
    if kde.d != 1:
        raise ValueError("integrate_box_1d() only handles 1D pdfs")
    if core.ndim(low) or core.ndim(high):
        raise ValueError("the limits of integration in integrate_box_1d must be scalars")
    width = jnp.squeeze(jnp.sqrt(kde.covariance))
    above, below = [special.ndtr(jnp.squeeze((limit - kde.dataset) / width)) for limit in (high, low)]
    return jnp.sum(kde.weights * (above - below))
