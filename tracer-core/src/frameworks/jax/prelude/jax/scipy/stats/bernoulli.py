"""The Bernoulli distribution."""
import math

from _jitlens import core, prims

from ... import numpy as jnp
from ..special import xlog1py, xlogy

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def logpmf(k, p, loc=0):
    k, p, loc = core.promote_inexact("bernoulli.logpmf", k, p, loc)
    zero, one = core.scalar_like(k, 0), core.scalar_like(k, 1)
    x = prims.sub(k, loc)
    mass = xlogy(x, p) + xlog1py(prims.sub(one, x), -p)
    return jnp.where(jnp.logical_or(prims.lt(x, zero), prims.gt(x, one)), -math.inf, mass)


def pmf(k, p, loc=0):
    return jnp.exp(logpmf(k, p, loc))


def cdf(k, p):
    k, p = core.promote_inexact("bernoulli.cdf", k, p)
    zero, one = core.scalar_like(k, 0), core.scalar_like(k, 1)
    where = [jnp.isnan(k) | jnp.isnan(p) | (p < zero) | (p > one), prims.lt(k, zero),
             jnp.logical_and(prims.ge(k, zero), prims.lt(k, one)), prims.ge(k, one)]
    return jnp.select(where, [math.nan, zero, one - p, one])


def ppf(q, p):
    q, p = core.promote_inexact("bernoulli.ppf", q, p)
    zero, one = core.scalar_like(q, 0), core.scalar_like(q, 1)
    invalid = jnp.isnan(q) | jnp.isnan(p) | (p < zero) | (p > one) | (q < zero) | (q > one)
    return jnp.where(invalid, math.nan, jnp.where(prims.le(q, one - p), zero, one))
