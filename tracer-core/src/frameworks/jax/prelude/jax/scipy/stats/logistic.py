"""The logistic distribution."""
from _jitlens import core, prims as p

from ... import numpy as jnp
from ..special import expit, logit

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def logpdf(x, loc=0, scale=1):
    x, loc, scale = core.promote_inexact("logistic.logpdf", x, loc, scale)
    x = p.div(p.sub(x, loc), scale)
    two = core.scalar_like(x, 2)
    half = p.div(x, two)
    return p.sub(p.mul(p.neg(two), jnp.logaddexp(half, p.neg(half))), p.log(scale))


def pdf(x, loc=0, scale=1):
    return p.exp(logpdf(x, loc, scale))


def cdf(x, loc=0, scale=1):
    x, loc, scale = core.promote_inexact("logistic.cdf", x, loc, scale)
    return expit(p.div(p.sub(x, loc), scale))


def sf(x, loc=0, scale=1):
    x, loc, scale = core.promote_inexact("logistic.sf", x, loc, scale)
    return expit(p.neg(p.div(p.sub(x, loc), scale)))


def ppf(x, loc=0, scale=1):
    x, loc, scale = core.promote_inexact("logistic.ppf", x, loc, scale)
    return p.add(p.mul(logit(x), scale), loc)


def isf(x, loc=0, scale=1):
    x, loc, scale = core.promote_inexact("logistic.isf", x, loc, scale)
    return p.add(p.mul(p.neg(logit(x)), scale), loc)
