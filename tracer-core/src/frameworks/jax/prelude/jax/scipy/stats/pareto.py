"""The Pareto distribution."""
import math

from _jitlens import core, prims as p

from ... import numpy as jnp

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def _outside(x, loc, scale, value, inside):
    return jnp.where(p.lt(x, p.add(loc, scale)), value, inside)


def logpdf(x, b, loc=0, scale=1):
    x, b, loc, scale = core.promote_inexact("pareto.logpdf", x, b, loc, scale)
    y = p.div(p.sub(x, loc), scale)
    normalizer = p.log(p.div(scale, b))
    density = p.neg(p.add(normalizer, p.mul(p.add(b, core.scalar_like(x, 1)), p.log(y))))
    return _outside(x, loc, scale, -math.inf, density)


def pdf(x, b, loc=0, scale=1):
    return p.exp(logpdf(x, b, loc, scale))


def cdf(x, b, loc=0, scale=1):
    x, b, loc, scale = core.promote_inexact("pareto.cdf", x, b, loc, scale)
    y = p.div(p.sub(x, loc), scale)
    return _outside(x, loc, scale, core.scalar_like(x, 0), p.sub(core.scalar_like(x, 1), p.pow(y, p.neg(b))))


def logcdf(x, b, loc=0, scale=1):
    x, b, loc, scale = core.promote_inexact("pareto.logcdf", x, b, loc, scale)
    y = p.div(p.sub(x, loc), scale)
    return _outside(x, loc, scale, -math.inf, p.log1p(p.neg(p.pow(y, p.neg(b)))))


def logsf(x, b, loc=0, scale=1):
    x, b, loc, scale = core.promote_inexact("pareto.logsf", x, b, loc, scale)
    y = p.div(p.sub(x, loc), scale)
    return _outside(x, loc, scale, core.scalar_like(x, 0), p.neg(p.mul(b, p.log(y))))


def sf(x, b, loc=0, scale=1):
    return p.exp(logsf(x, b, loc, scale))


def ppf(q, b, loc=0, scale=1):
    q, b, loc, scale = core.promote_inexact("pareto.ppf", q, b, loc, scale)
    one = core.scalar_like(q, 1)
    found = p.add(loc, p.mul(scale, p.pow(p.sub(one, q), p.neg(p.div(one, b)))))
    return jnp.where(jnp.isnan(q) | (q < 0) | (q > 1), math.nan, found)
