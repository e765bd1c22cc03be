"""The Laplace distribution."""
from _jitlens import core, prims as p

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def logpdf(x, loc=0, scale=1):
    x, loc, scale = core.promote_inexact("laplace.logpdf", x, loc, scale)
    linear = p.div(p.abs(p.sub(x, loc)), scale)
    return p.neg(p.add(linear, p.log(p.mul(core.scalar_like(x, 2), scale))))


def pdf(x, loc=0, scale=1):
    return p.exp(logpdf(x, loc, scale))


def cdf(x, loc=0, scale=1):
    x, loc, scale = core.promote_inexact("laplace.cdf", x, loc, scale)
    half, one, zero = core.scalar_like(x, 0.5), core.scalar_like(x, 1), core.scalar_like(x, 0)
    t = p.div(p.sub(x, loc), scale)
    left = p.le(t, zero)
    rising = p.mul(half, p.exp(t))
    return p.select_n(left, p.sub(one, p.mul(half, p.exp(p.neg(t)))), rising)
