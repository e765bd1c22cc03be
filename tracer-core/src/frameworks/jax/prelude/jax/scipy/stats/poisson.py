"""The Poisson distribution."""
import math

from _jitlens import core, prims as p

from ... import numpy as jnp
from ..special import entr, gammaincc, gammaln, xlogy

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def logpmf(k, mu, loc=0):
    k, mu, loc = core.promote_inexact("poisson.logpmf", k, mu, loc)
    zero = core.scalar_like(k, 0)
    x = p.sub(k, loc)
    mass = xlogy(x, mu) - gammaln(x + 1) - mu
    return jnp.where(jnp.logical_or(p.lt(x, zero), p.ne(jnp.round(k), k)), -math.inf, mass)


def pmf(k, mu, loc=0):
    return jnp.exp(logpmf(k, mu, loc))


def cdf(k, mu, loc=0):
    k, mu, loc = core.promote_inexact("poisson.logpmf", k, mu, loc)
    zero = core.scalar_like(k, 0)
    x = p.sub(k, loc)
    found = gammaincc(jnp.floor(1 + x), mu)
    return jnp.where(p.lt(x, zero), zero, found)


@core.jit
def entropy(mu, loc=0):
    mu, loc = core.promote_dtypes_inexact(*core.arraylike("poisson.entropy", mu, loc))
    shape = jnp.broadcast_shapes(mu.shape, loc.shape)
    flat = jnp.ravel(mu)
    zero = jnp.zeros_like(flat)
    found = jnp.where(flat == 0, zero, jnp.where(flat < 10, _sum_of_terms(flat, 35, lambda m: m + 20), jnp.where(
        flat < 100, _sum_of_terms(flat, 250, lambda m: m + 10 * jnp.sqrt(m) + 20), 0.5 * jnp.log(2 * math.pi * math.e * flat) - 1.0 / (12 * flat))))
    return jnp.broadcast_to(jnp.reshape(found, mu.shape), shape)


def _sum_of_terms(mu, count, bound):
    k = jnp.arange(count, dtype=mu.dtype)[:, None]
    mass = pmf(k, mu, 0)
    inside = k < jnp.ceil(bound(mu)).astype(k.dtype)[None, :]
    return jnp.sum(entr(jnp.where(inside, mass, 0.0)), axis=0)
