"""The geometric distribution."""
import math

from _jitlens import core, prims

from ... import numpy as jnp
from ..special import xlog1py

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def logpmf(k, p, loc=0):
    k, p, loc = core.promote_inexact("geom.logpmf", k, p, loc)
    zero, one = core.scalar_like(k, 0), core.scalar_like(k, 1)
    x = prims.sub(k, loc)
    mass = xlog1py(prims.sub(x, one), -p) + prims.log(p)
    return jnp.where(prims.le(x, zero), -math.inf, mass)


def pmf(k, p, loc=0):
    return jnp.exp(logpmf(k, p, loc))
