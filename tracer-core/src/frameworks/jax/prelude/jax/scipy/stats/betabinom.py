"""The beta-binomial distribution."""
import math

from _jitlens import core, prims as p

from ... import numpy as jnp
from ..special import betaln

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


@core.jit
def logpmf(k, n, a, b, loc=0):
    k, n, a, b, loc = core.promote_inexact("betabinom.logpmf", k, n, a, b, loc)
    y = p.sub(p.floor(k), loc)
    one, zero = core.scalar_like(y, 1), core.scalar_like(y, 0)
    choices = p.neg(p.add(p.log1p(n), betaln(p.add(p.sub(n, y), one), p.add(y, one))))
    ratio = p.sub(betaln(p.add(y, a), p.add(p.sub(n, y), b)), betaln(a, b))
    mass = p.add(choices, ratio)
    mass = jnp.where(jnp.logical_and(p.eq(y, zero), p.eq(n, zero)), 0.0, mass)
    outside = jnp.logical_or(jnp.logical_or(p.lt(y, p.neg(loc)), p.gt(y, n)), p.le(p.add(y, a), zero))
    mass = jnp.where(outside, -math.inf, mass)
    invalid = jnp.logical_or(jnp.logical_or(p.lt(n, zero), p.le(a, zero)), p.le(b, zero))
    return jnp.where(invalid, math.nan, mass)


def pmf(k, n, a, b, loc=0):
    return p.exp(logpmf(k, n, a, b, loc))
