"""The Cauchy distribution."""
import math

from _jitlens import core, prims as p

from ... import numpy as jnp

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def logpdf(x, loc=0, scale=1):
    x, loc, scale = core.promote_inexact("cauchy.logpdf", x, loc, scale)
    y = p.div(p.sub(x, loc), scale)
    normalizer = p.log(p.mul(core.scalar_like(x, math.pi), scale))
    return p.neg(p.add(normalizer, p.log1p(p.mul(y, y))))


def pdf(x, loc=0, scale=1):
    return p.exp(logpdf(x, loc, scale))


def cdf(x, loc=0, scale=1):
    x, loc, scale = core.promote_inexact("cauchy.cdf", x, loc, scale)
    y = p.div(p.sub(x, loc), scale)
    inverse_pi = p.div(core.scalar_like(x, 1.0), core.scalar_like(x, math.pi))
    return p.add(core.scalar_like(x, 0.5), p.mul(inverse_pi, jnp.arctan(y)))


def logcdf(x, loc=0, scale=1):
    return p.log(cdf(x, loc, scale))


def sf(x, loc=0, scale=1):
    x, loc, scale = core.promote_inexact("cauchy.sf", x, loc, scale)
    return cdf(-x, -loc, scale)


def logsf(x, loc=0, scale=1):
    x, loc, scale = core.promote_inexact("cauchy.logsf", x, loc, scale)
    return logcdf(-x, -loc, scale)


def isf(q, loc=0, scale=1):
    q, loc, scale = core.promote_inexact("cauchy.isf", q, loc, scale)
    t = p.tan(p.sub(core.scalar_like(q, math.pi / 2), p.mul(core.scalar_like(q, math.pi), q)))
    return p.add(p.mul(t, scale), loc)


def ppf(q, loc=0, scale=1):
    q, loc, scale = core.promote_inexact("cauchy.ppf", q, loc, scale)
    t = p.tan(p.sub(p.mul(core.scalar_like(q, math.pi), q), core.scalar_like(q, math.pi / 2)))
    return p.add(p.mul(t, scale), loc)
