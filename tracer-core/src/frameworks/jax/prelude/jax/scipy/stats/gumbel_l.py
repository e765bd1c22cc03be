"""The left-skewed Gumbel distribution."""
import math

from _jitlens import core, prims as p

from ... import numpy as jnp
from ..special import xlog1py, xlogy

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def _parts(name, x, loc, scale):
    x, loc, scale = core.promote_inexact("gumbel_l." + name, x, loc, scale)
    valid = p.gt(scale, core.scalar_like(scale, 0))
    return valid, p.div(p.sub(x, loc), scale), scale


def logpdf(x, loc=0, scale=1):
    valid, z, scale = _parts("logpdf", x, loc, scale)
    log_scale = xlogy(-1, scale)
    return jnp.where(valid, p.add(log_scale, p.sub(z, p.exp(z))), math.nan)


def pdf(x, loc=0, scale=1):
    return p.exp(logpdf(x, loc, scale))


def logcdf(x, loc=0, scale=1):
    valid, z, _ = _parts("logcdf", x, loc, scale)
    return jnp.where(valid, p.log(-p.expm1(p.neg(p.exp(z)))), math.nan)


def cdf(x, loc=0, scale=1):
    return p.exp(logcdf(x, loc, scale))


def ppf(p, loc=0, scale=1):
    return _ppf(p, loc, scale)


def _ppf(q, loc, scale):
    q, loc, scale = core.promote_inexact("gumbel_l.ppf", q, loc, scale)
    valid = p.and_(p.gt(q, core.scalar_like(q, 0)), p.lt(q, core.scalar_like(q, 1)))
    t = p.mul(scale, p.log(xlog1py(-1, p.neg(q))))
    return jnp.where(valid, p.add(loc, t), math.nan)


def logsf(x, loc=0, scale=1):
    valid, z, _ = _parts("logsf", x, loc, scale)
    return jnp.where(valid, p.neg(p.exp(z)), math.nan)


def sf(x, loc=0, scale=1):
    return jnp.exp(logsf(x, loc, scale))
