"""The gamma distribution."""
import math

from _jitlens import core, prims as p

from ... import numpy as jnp
from ..special import gammainc, gammaincc, gammaln, xlogy

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def logpdf(x, a, loc=0, scale=1):
    x, a, loc, scale = core.promote_inexact("gamma.logpdf", x, a, loc, scale)
    inside = p.ge(x, loc)
    one = core.scalar_like(x, 1)
    y = jnp.where(inside, p.div(p.sub(x, loc), scale), one)
    linear = p.sub(xlogy(p.sub(a, one), y), y)
    shape = p.add(gammaln(a), p.log(scale))
    return jnp.where(inside, p.sub(linear, shape), -math.inf)


def pdf(x, a, loc=0, scale=1):
    return p.exp(logpdf(x, a, loc, scale))


def cdf(x, a, loc=0, scale=1):
    x, a, loc, scale = core.promote_inexact("gamma.cdf", x, a, loc, scale)
    return gammainc(a, p.clamp(core.scalar_like(x, 0), p.div(p.sub(x, loc), scale), core.scalar_like(x, math.inf)))


def logcdf(x, a, loc=0, scale=1):
    return p.log(cdf(x, a, loc, scale))


def sf(x, a, loc=0, scale=1):
    x, a, loc, scale = core.promote_inexact("gamma.sf", x, a, loc, scale)
    y = p.div(p.sub(x, loc), scale)
    return jnp.where(p.lt(y, core.scalar_like(y, 0)), 1, gammaincc(a, y))


def logsf(x, a, loc=0, scale=1):
    return p.log(sf(x, a, loc, scale))
