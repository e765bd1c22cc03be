"""The chi-squared distribution."""
import math

from _jitlens import core, prims as p

from ... import numpy as jnp
from ..special import gammainc, gammaincc

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def logpdf(x, df, loc=0, scale=1):
    x, df, loc, scale = core.promote_inexact("chi2.logpdf", x, df, loc, scale)
    one, two = core.scalar_like(x, 1), core.scalar_like(x, 2)
    y = p.div(p.sub(x, loc), scale)
    half = p.div(df, two)
    kernel = p.sub(p.mul(p.sub(half, one), p.log(y)), p.div(y, two))
    normalizer = p.neg(p.add(p.lgamma(half), p.div(p.mul(p.log(two), df), two)))
    density = p.add(p.sub(normalizer, p.log(scale)), kernel)
    return jnp.where(p.lt(x, loc), -math.inf, density)


def pdf(x, df, loc=0, scale=1):
    return p.exp(logpdf(x, df, loc, scale))


def _halves(name, x, df, loc, scale):
    x, df, loc, scale = core.promote_inexact("chi2." + name, x, df, loc, scale)
    two = core.scalar_like(scale, 2)
    half = p.div(df, two)
    return half, p.clamp(core.scalar_like(x, 0), p.div(p.sub(x, loc), p.mul(scale, two)), core.scalar_like(x, math.inf))


def cdf(x, df, loc=0, scale=1):
    return gammainc(*_halves("cdf", x, df, loc, scale))


def logcdf(x, df, loc=0, scale=1):
    return p.log(cdf(x, df, loc, scale))


def sf(x, df, loc=0, scale=1):
    return gammaincc(*_halves("sf", x, df, loc, scale))


def logsf(x, df, loc=0, scale=1):
    return p.log(sf(x, df, loc, scale))
