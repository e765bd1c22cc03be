"""The uniform distribution."""
import math

from _jitlens import core, prims as p

from ... import numpy as jnp

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def logpdf(x, loc=0, scale=1):
    x, loc, scale = core.promote_inexact("uniform.logpdf", x, loc, scale)
    density = p.neg(p.log(scale))
    return jnp.where(jnp.logical_or(p.gt(x, p.add(loc, scale)), p.lt(x, loc)), -math.inf, density)


def pdf(x, loc=0, scale=1):
    return p.exp(logpdf(x, loc, scale))


def cdf(x, loc=0, scale=1):
    x, loc, scale = core.promote_inexact("uniform.cdf", x, loc, scale)
    zero, one = jnp.array(0, x.dtype), jnp.array(1, x.dtype)
    where = [p.lt(x, loc), p.gt(x, p.add(loc, scale)), p.ge(x, loc) & p.le(x, p.add(loc, scale))]
    return jnp.select(where, [zero, one, p.div(p.sub(x, loc), scale)])


def ppf(q, loc=0, scale=1):
    q, loc, scale = core.promote_inexact("uniform.ppf", q, loc, scale)
    return jnp.where(jnp.isnan(q) | (q < 0) | (q > 1), math.nan, p.add(loc, p.mul(scale, q)))
