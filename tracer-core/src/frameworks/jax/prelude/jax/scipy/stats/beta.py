"""The beta distribution."""
import math

from _jitlens import core, prims as p

from ... import numpy as jnp
from ..special import betainc, betaln, xlog1py, xlogy

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def logpdf(x, a, b, loc=0, scale=1):
    x, a, b, loc, scale = core.promote_inexact("beta.logpdf", x, a, b, loc, scale)
    one, zero = core.scalar_like(x, 1), core.scalar_like(a, 0)
    shape = p.neg(betaln(a, b))
    y = p.div(p.sub(x, loc), scale)
    linear = p.add(xlogy(p.sub(a, one), y), xlog1py(p.sub(b, one), p.neg(y)))
    density = p.sub(p.add(shape, linear), p.log(scale))
    density = jnp.where(jnp.logical_or(p.gt(x, p.add(loc, scale)), p.lt(x, loc)), -math.inf, density)
    return jnp.where(jnp.logical_or(jnp.logical_or(p.le(a, zero), p.le(b, zero)), p.le(scale, zero)), math.nan, density)


def pdf(x, a, b, loc=0, scale=1):
    return p.exp(logpdf(x, a, b, loc, scale))


def _unit(x, loc, scale):
    return p.clamp(core.scalar_like(x, 0), p.div(p.sub(x, loc), scale), core.scalar_like(x, 1))


def cdf(x, a, b, loc=0, scale=1):
    x, a, b, loc, scale = core.promote_inexact("beta.cdf", x, a, b, loc, scale)
    return betainc(a, b, _unit(x, loc, scale))


def logcdf(x, a, b, loc=0, scale=1):
    return p.log(cdf(x, a, b, loc, scale))


def sf(x, a, b, loc=0, scale=1):
    x, a, b, loc, scale = core.promote_inexact("beta.sf", x, a, b, loc, scale)
    return betainc(b, a, 1 - _unit(x, loc, scale))


def logsf(x, a, b, loc=0, scale=1):
    return p.log(sf(x, a, b, loc, scale))
