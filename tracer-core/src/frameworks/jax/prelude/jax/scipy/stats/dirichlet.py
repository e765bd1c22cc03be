"""The Dirichlet distribution."""
import math

from _jitlens import core, prims as p

from ... import numpy as jnp
from ...lax._shapes import broadcast_in_dim
from ..special import gammaln, xlogy

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def logpdf(x, alpha):
    x, alpha = core.promote_dtypes_inexact(x, alpha)
    if alpha.ndim != 1:
        raise ValueError(f"`alpha` must be one-dimensional; got alpha.shape={alpha.shape}")
    if x.shape[0] not in (alpha.shape[0], alpha.shape[0] - 1):
        raise ValueError("`x` must have either the same number of entries as `alpha` or one entry fewer; got "
                         f"x.shape={x.shape}, alpha.shape={alpha.shape}")
    one = core.scalar_like(x, 1)
    if x.shape[0] != alpha.shape[0]:
        x = jnp.concatenate([x, p.sub(one, x.sum(0, keepdims=True))], axis=0)
    normalizer = jnp.sum(gammaln(alpha)) - gammaln(jnp.sum(alpha))
    if x.ndim > 1:
        alpha = broadcast_in_dim(alpha, alpha.shape + (1,) * (x.ndim - 1), (0,))
    density = p.sub(jnp.sum(xlogy(p.sub(alpha, one), x), axis=0), normalizer)
    total = jnp.sum(x, axis=0)
    return jnp.where(jnp.all(x > 0, axis=0) & (abs(total - 1) < 1E-6), density, -math.inf)


def pdf(x, alpha):
    return p.exp(logpdf(x, alpha))
