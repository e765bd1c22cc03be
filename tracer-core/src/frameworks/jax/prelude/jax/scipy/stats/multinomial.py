"""The multinomial distribution."""
import math

from _jitlens import core, prims

from ... import numpy as jnp
from ..special import gammaln, xlogy

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def logpmf(x, n, p):
    p, = core.promote_inexact("multinomial.logpmf", p)
    x, n = core.promote_numeric("multinomial.logpmf", x, n)
    if core.dtype_kind(x.dtype) != "int":
        raise ValueError(f"x and n must be of integer type; got x.dtype={x.dtype}, n.dtype={n.dtype}")
    x, n = x.astype(p.dtype), n.astype(p.dtype)
    mass = gammaln(n + 1) + jnp.sum(xlogy(x, p) - gammaln(x + 1), axis=-1)
    return jnp.where(jnp.equal(jnp.sum(x), n), mass, -math.inf)


def pmf(x, n, p):
    return prims.exp(logpmf(x, n, p))
