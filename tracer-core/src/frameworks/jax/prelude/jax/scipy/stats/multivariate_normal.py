"""The multivariate normal distribution."""
import functools
import math

from _jitlens import core, prims as p

from ... import numpy as jnp
from ...lax import linalg

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def logpdf(x, mean, cov, allow_singular=None):
    if allow_singular is not None:
        raise NotImplementedError("allow_singular argument of multivariate_normal.logpdf")
    x, mean, cov = core.promote_dtypes_inexact(x, mean, cov)
    if not mean.shape:
        return -1 / 2 * jnp.square(x - mean) / cov - 1 / 2 * (jnp.log(2 * math.pi) + jnp.log(cov))
    n = mean.shape[-1]
    if not core.shape(cov):
        y = x - mean
        return -1 / 2 * jnp.einsum("...i,...i->...", y, y) / cov - n / 2 * (jnp.log(2 * math.pi) + jnp.log(cov))
    if cov.ndim < 2 or cov.shape[-2:] != (n, n):
        raise ValueError("multivariate_normal.logpdf got incompatible shapes")
    factor = linalg.cholesky(cov)
    solve = jnp.vectorize(functools.partial(linalg.triangular_solve, lower=True, transpose_a=True), signature="(n,n),(n)->(n)")
    y = solve(factor, x - mean)
    return (-1 / 2 * jnp.einsum("...i,...i->...", y, y) - n / 2 * jnp.log(2 * math.pi)
            - jnp.log(factor.diagonal(axis1=-1, axis2=-2)).sum(-1))


def pdf(x, mean, cov):
    return p.exp(logpdf(x, mean, cov))
