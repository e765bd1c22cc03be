"""The von Mises distribution."""
import math

from _jitlens import core, prims as p

from ... import numpy as jnp

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def logpdf(x, kappa):
    x, kappa = core.promote_inexact("vonmises.logpdf", x, kappa)
    valid = p.gt(kappa, core.scalar_like(kappa, 0))
    return jnp.where(valid, kappa * (jnp.cos(x) - 1) - jnp.log(2 * math.pi * p.bessel_i0e(kappa)), math.nan)


def pdf(x, kappa):
    return p.exp(logpdf(x, kappa))
