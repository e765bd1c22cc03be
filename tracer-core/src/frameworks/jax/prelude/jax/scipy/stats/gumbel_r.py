"""The right-skewed Gumbel distribution."""
import math

from _jitlens import core, prims as p

from ... import numpy as jnp
from ...nn import log1mexp
from ..special import xlogy

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def _parts(name, x, loc, scale):
    x, loc, scale = core.promote_inexact("gumbel_r." + name, x, loc, scale)
    return x, loc, scale, p.gt(scale, core.scalar_like(scale, 0))


def logpdf(x, loc=0, scale=1):
    x, loc, scale, valid = _parts("logpdf", x, loc, scale)
    z = p.div(p.sub(x, loc), scale)
    log_scale = xlogy(-1, scale)
    return jnp.where(valid, p.add(log_scale, p.neg(p.add(z, p.exp(p.neg(z))))), math.nan)


def pdf(x, loc=0, scale=1):
    return p.exp(logpdf(x, loc, scale))


def logcdf(x, loc=0, scale=1):
    x, loc, scale, valid = _parts("logcdf", x, loc, scale)
    z = p.div(p.sub(x, loc), scale)
    return jnp.where(valid, p.neg(p.exp(p.neg(z))), math.nan)


def cdf(x, loc=0, scale=1):
    return p.exp(logcdf(x, loc, scale))


def ppf(p, loc=0, scale=1):
    return _ppf(p, loc, scale)


def _ppf(q, loc, scale):
    q, loc, scale = core.promote_inexact("gumbel_r.ppf", q, loc, scale)
    valid = p.and_(p.gt(q, core.scalar_like(q, 0)), p.lt(q, core.scalar_like(q, 1)))
    t = p.mul(scale, p.log(xlogy(-1, q)))
    return jnp.where(valid, p.sub(loc, t), math.nan)


def sf(x, loc=0, scale=1):
    x, loc, scale, valid = _parts("sf", x, loc, scale)
    z = p.div(p.sub(loc, x), scale)
    found = p.sub(core.scalar_like(x, 1), p.exp(p.neg(p.exp(z))))
    return jnp.where(valid, found, math.nan)


def logsf(x, loc=0, scale=1):
    x, loc, scale, valid = _parts("logsf", x, loc, scale)
    z = p.div(p.sub(loc, x), scale)
    return jnp.where(valid, log1mexp(p.exp(z)), math.nan)
