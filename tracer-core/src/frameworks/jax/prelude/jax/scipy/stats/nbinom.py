"""The negative binomial distribution."""
import math

from _jitlens import core, prims

from ... import numpy as jnp
from ..special import gammaln, xlogy

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def logpmf(k, n, p, loc=0):
    k, n, p, loc = core.promote_inexact("nbinom.logpmf", k, n, p, loc)
    one = core.scalar_like(k, 1)
    y = prims.sub(k, loc)
    choices = prims.sub(prims.sub(gammaln(prims.add(y, n)), gammaln(n)), gammaln(prims.add(y, one)))
    linear = prims.add(xlogy(n, p), xlogy(y, prims.sub(one, p)))
    mass = prims.add(choices, linear)
    return jnp.where(prims.lt(k, loc), -math.inf, mass)


def pmf(k, n, p, loc=0):
    return prims.exp(logpmf(k, n, p, loc))
