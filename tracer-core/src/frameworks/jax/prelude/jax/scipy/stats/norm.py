"""The normal distribution."""
import math

from _jitlens import core, prims as p

from .. import special
from ... import numpy as jnp

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def _standard(name, x, loc, scale):
    x, loc, scale = core.promote_inexact("norm." + name, x, loc, scale)
    return p.div(p.sub(x, loc), scale)


def logpdf(x, loc=0, scale=1):
    x, loc, scale = core.promote_inexact("norm.logpdf", x, loc, scale)
    square = p.square(scale)
    normalizer = p.log(p.mul(core.scalar_like(x, 2 * math.pi), square))
    quadratic = p.div(p.square(p.sub(x, loc)), square)
    return p.div(p.add(normalizer, quadratic), core.scalar_like(x, -2))


def pdf(x, loc=0, scale=1):
    return p.exp(logpdf(x, loc, scale))


def cdf(x, loc=0, scale=1):
    return special.ndtr(_standard("cdf", x, loc, scale))


def logcdf(x, loc=0, scale=1):
    return special.log_ndtr(_standard("logcdf", x, loc, scale))


def sf(x, loc=0, scale=1):
    x, loc, scale = core.promote_inexact("norm.sf", x, loc, scale)
    return cdf(-x, -loc, scale)


def logsf(x, loc=0, scale=1):
    x, loc, scale = core.promote_inexact("norm.logsf", x, loc, scale)
    return logcdf(-x, -loc, scale)


def ppf(q, loc=0, scale=1):
    return jnp.asarray(special.ndtri(q) * scale + loc, float)


def isf(q, loc=0, scale=1):
    return ppf(p.sub(core.scalar_like(q, 1), q), loc, scale)
