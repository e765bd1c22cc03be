"""The truncated normal distribution."""
import math

from _jitlens import core, prims as p

from ... import numpy as jnp
from ..special import log_ndtr, logsumexp, ndtr
from . import norm

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def _log_difference(x, y):
    return logsumexp(jnp.array([x, y]), b=jnp.array([jnp.ones_like(x), -jnp.ones_like(y)]), axis=0)


def _log_mass(a, b):
    """The logarithm of a normal variable's probability of lying between `a` and `b`."""
    a, b = jnp.array(a), jnp.array(b)
    a, b = jnp.broadcast_arrays(a, b)
    left, right = b <= 0, a > 0
    central = ~(left | right)
    low, high = jnp.where(right, -b, a), jnp.where(right, -a, b)
    tail = _log_difference(log_ndtr(high), log_ndtr(low))
    middle = jnp.log1p(-ndtr(a) - ndtr(-b))
    return jnp.where(central, middle, tail)


@core.jit
def logpdf(x, a, b, loc=0, scale=1):
    x, a, b, loc, scale = core.promote_inexact("truncnorm.logpdf", x, a, b, loc, scale)
    density = p.sub(norm.logpdf(x, loc, scale), _log_mass(a, b))
    y = p.div(p.sub(x, loc), scale)
    density = jnp.where((y < a) | (y > b), -math.inf, density)
    return jnp.where(a >= b, math.nan, density)


def pdf(x, a, b, loc=0, scale=1):
    return p.exp(logpdf(x, a, b, loc, scale))


@core.jit
def logsf(x, a, b, loc=0, scale=1):
    x, a, b, loc, scale = core.promote_inexact("truncnorm.logsf", x, a, b, loc, scale)
    return logcdf(-x, -b, -a, -loc, scale)


@core.jit
def sf(x, a, b, loc=0, scale=1):
    return p.exp(logsf(x, a, b, loc, scale))


@core.jit
def logcdf(x, a, b, loc=0, scale=1):
    x, a, b, loc, scale = core.promote_inexact("truncnorm.logcdf", x, a, b, loc, scale)
    x, a, b = jnp.broadcast_arrays(x, a, b)
    x = p.div(p.sub(x, loc), scale)
    whole = _log_mass(a, b)
    below = _log_mass(a, x) - whole
    above = _log_mass(x, b) - whole
    # Close to the upper end the complement has more digits.
    found = jnp.select([x >= b, x <= a, below > -0.1, x > a], [0, -math.inf, jnp.log1p(-jnp.exp(above)), below])
    return jnp.where(a >= b, math.nan, found)


@core.jit
def cdf(x, a, b, loc=0, scale=1):
    return p.exp(logcdf(x, a, b, loc, scale))
