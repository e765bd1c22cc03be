"""The exponential distribution."""
import math

from _jitlens import core, prims as p

from ... import numpy as jnp

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def logpdf(x, loc=0, scale=1):
    x, loc, scale = core.promote_inexact("expon.logpdf", x, loc, scale)
    log_scale = p.log(scale)
    linear = p.div(p.sub(x, loc), scale)
    density = p.neg(p.add(linear, log_scale))
    return jnp.where(p.lt(x, loc), -math.inf, density)


def pdf(x, loc=0, scale=1):
    return p.exp(logpdf(x, loc, scale))


def cdf(x, loc=0, scale=1):
    x, loc, scale = core.promote_inexact("expon.cdf", x, loc, scale)
    t = p.div(p.sub(loc, x), scale)
    return jnp.where(p.lt(x, loc), jnp.zeros_like(t), p.neg(p.expm1(t)))


def logcdf(x, loc=0, scale=1):
    return p.log1p(p.neg(sf(x, loc, scale)))


def logsf(x, loc=0, scale=1):
    x, loc, scale = core.promote_inexact("expon.sf", x, loc, scale)
    t = p.div(p.sub(loc, x), scale)
    return jnp.where(p.lt(x, loc), jnp.zeros_like(t), t)


def sf(x, loc=0, scale=1):
    return p.exp(logsf(x, loc, scale))


def ppf(q, loc=0, scale=1):
    q, loc, scale = core.promote_inexact("expon.ppf", q, loc, scale)
    return jnp.where(jnp.isnan(q) | (q < 0) | (q > 1), math.nan, p.sub(loc, p.mul(scale, p.log1p(p.neg(q)))))
