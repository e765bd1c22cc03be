"""The binomial distribution."""
import math

from _jitlens import core, prims

from ... import numpy as jnp
from ..special import gammaln, xlog1py, xlogy

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def logpmf(k, n, p, loc=0):
    k, n, p, loc = core.promote_inexact("binom.logpmf", k, n, p, loc)
    y = prims.sub(k, loc)
    zero = core.scalar_like(y, 0)
    choices = prims.sub(gammaln(n + 1), prims.add(gammaln(y + 1), gammaln(n - y + 1)))
    linear = prims.add(xlogy(y, p), xlog1py(prims.sub(n, y), prims.neg(p)))
    mass = prims.add(choices, linear)
    sure = jnp.logical_or(jnp.logical_and(prims.eq(y, zero), prims.eq(n, zero)), prims.eq(linear, zero))
    mass = jnp.where(sure, 0.0, mass)
    return jnp.where(prims.ge(k, loc) & prims.lt(k, loc + n + 1), mass, -math.inf)


def pmf(k, n, p, loc=0):
    return prims.exp(logpmf(k, n, p, loc))
