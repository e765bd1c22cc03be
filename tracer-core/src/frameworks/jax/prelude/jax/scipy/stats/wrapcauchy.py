"""The wrapped Cauchy distribution."""
import math

from _jitlens import core, prims as p

from ... import numpy as jnp

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def logpdf(x, c):
    x, c = core.promote_inexact("wrapcauchy.logpdf", x, c)
    valid = p.gt(c, core.scalar_like(c, 0)) & p.lt(c, core.scalar_like(c, 1))
    inside = p.ge(x, core.scalar_like(x, 0)) & p.le(x, core.scalar_like(x, math.pi * 2))
    density = jnp.log(1 - c * c) - jnp.log(2 * math.pi) - jnp.log(1 + c * c - 2 * c * jnp.cos(x))
    return jnp.where(valid, jnp.where(inside, density, -math.inf), math.nan)


def pdf(x, c):
    return p.exp(logpdf(x, c))
