"""Student's t distribution."""
import math

from _jitlens import core, prims as p

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def logpdf(x, df, loc=0, scale=1):
    x, df, loc, scale = core.promote_inexact("t.logpdf", x, df, loc, scale)
    two = core.scalar_like(x, 2)
    y = p.div(p.sub(x, loc), scale)
    half = p.div(df, two)
    more = p.add(half, core.scalar_like(x, 0.5))
    constant = p.mul(p.mul(scale, scale), core.scalar_like(x, math.pi))
    constant = p.div(p.log(p.mul(constant, df)), two)
    normalizer = p.sub(p.add(p.lgamma(half), constant), p.lgamma(more))
    quadratic = p.div(p.mul(y, y), df)
    return p.neg(p.add(normalizer, p.mul(more, p.log1p(quadratic))))


def pdf(x, df, loc=0, scale=1):
    return p.exp(logpdf(x, df, loc, scale))
