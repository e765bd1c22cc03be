"""The gamma function and its relatives."""
import functools
import math

from _jitlens import core, prims as p

from ... import numpy as jnp
from ..._autodiff import jvp
from ..._custom_jvp import custom_jvp


def _is_complex(x):
    return core.dtype_kind(x.dtype) == "complex"


def _reject_complex(name, x):
    if _is_complex(x):
        raise ValueError(f"{name} does not support complex-valued inputs.")


def gammaln(x):
    return p.lgamma(core.promote_inexact("gammaln", x)[0])


@core.jit
def gammasgn(x):
    x, = core.promote_inexact("gammasgn", x)
    _reject_complex("gammasgn", x)
    floor = p.floor(x)
    negative = x < 0
    pole = negative & (x == floor) | jnp.isnan(x)
    odd = negative & (floor % 2 != 0) | (x == 0) & jnp.signbit(x)
    return jnp.select([pole, odd], [core.numpy_scalar(math.nan, x.dtype), core.numpy_scalar(-1.0, x.dtype)], core.numpy_scalar(1.0, x.dtype))


def loggamma(x):
    x, = core.promote_inexact("loggamma", x)
    if _is_complex(x):
        return core.unmodelled("jax.scipy.special.loggamma of complex numbers")
    found = p.lgamma(x)
    return jnp.where(x > 0, found, math.nan)


def gamma(x):
    x, = core.promote_inexact("gamma", x)
    if _is_complex(x):
        return core.unmodelled("jax.scipy.special.gamma of complex numbers")
    return gammasgn(x) * p.exp(p.lgamma(x))


def factorial(n, exact=False):
    if exact:
        raise NotImplementedError("factorial with exact=True")
    n, = core.promote_inexact("factorial", n)
    return jnp.where(n < 0, 0, p.exp(p.lgamma(n + 1)))


def comb(N, k, *, repetition=False):
    N, k = core.promote_inexact("comb", N, k)
    if repetition:
        trivial = (k == 0) & (N >= 0)
        return jnp.where(trivial, 1.0, comb(N + k - 1, k, repetition=False))
    valid = (k <= N) & (N >= 0) & (k >= 0)
    n, m = jnp.where(valid, N, 0.0), jnp.where(valid, k, 0.0)
    found = p.exp(gammaln(n + 1) - gammaln(m + 1) - gammaln(n + 1 - m))
    return jnp.where(valid, found, 0.0)


@custom_jvp
def poch(z, m):
    z, m = core.promote_inexact("poch", z, m)
    if _is_complex(z):
        raise ValueError("jnp.poch does not support complex-valued inputs.")
    return jnp.where(m == 0.0, jnp.array(1, dtype=z.dtype), gamma(z + m) / gamma(z))


poch.defjvps(lambda t, out, z, m: (digamma(z + m) - digamma(z)) * poch(z, m) * t, lambda t, out, z, m: digamma(z + m) * poch(z, m) * t)


def multigammaln(a, d):
    d = core.concrete_int(d, "d argument of multigammaln")
    a, dim = core.promote_inexact("multigammaln", a, d)
    constant = p.mul(p.mul(p.mul(core.scalar_like(a, 0.25), dim), p.sub(dim, core.scalar_like(a, 1))), p.log(core.scalar_like(a, math.pi)))
    b = p.div(jnp.arange(d, dtype=dim.dtype), core.scalar_like(a, 2))
    terms = gammaln(jnp.expand_dims(a, axis=-1) - jnp.expand_dims(b, axis=tuple(range(a.ndim))))
    return jnp.sum(terms, axis=-1) + constant


# -------------------------------------------------------------------------------------------------- beta and incomplete

def betaln(a, b):
    a, b = core.promote_inexact("betaln", a, b)
    a, b = jnp.minimum(a, b), jnp.maximum(a, b)
    near = p.lgamma(a) + (p.lgamma(b) - p.lgamma(a + b))
    far = p.lgamma(a) + _log_ratio(a, b)
    return jnp.where(b < 8, near, far)


# The coefficients of Stirling's correction del(x) = log gamma(x) - (x - 1/2) log x + x - log(2 pi)/2, in powers of 1/x^2.
_STIRLING = (0.833333333333333e-01, -0.277777777760991e-02, 0.793650666825390e-03, -0.595202931351870e-03, 0.837308034031215e-03,
             -0.165322962780713e-02)


def _log_ratio(a, b):
    """log(gamma(b) / gamma(a + b)) for b of at least 8, as del(b) - del(a + b) and what remains."""
    h = a / b
    c = h / (1 + h)
    x = h / (1 + h)
    d = b + (a - 0.5)
    x2 = x * x
    sums = [1.0 + (x + x2)]  # (1 - x^n) / (1 - x) for n = 3, 5, …
    for _ in range(4):
        sums.append(1.0 + (x + x2 * sums[-1]))
    t = (1.0 / b) ** 2
    w = _STIRLING[5] * sums[4] * t
    for coefficient, s in zip(_STIRLING[4:0:-1], sums[3::-1]):
        w = (w + coefficient * s) * t
    w = (w + _STIRLING[0]) * (c / b)
    u = d * p.log1p(a / b)
    v = a * (p.log(b) - 1.0)
    return jnp.where(u <= v, (w - v) - u, (w - u) - v)


def beta(a, b):
    a, b = core.promote_inexact("beta", a, b)
    _reject_complex("beta", a)
    sign = gammasgn(a) * gammasgn(b) * gammasgn(a + b)
    return sign * p.exp(betaln(a, b))


def betainc(a, b, x):
    a, b, x = core.promote_inexact("betainc", a, b, x)
    _reject_complex("betainc", x)
    return p.regularized_incomplete_beta(a, b, x)


def gammainc(a, x):
    return p.igamma(*core.promote_inexact("gammainc", a, x))


def gammaincc(a, x):
    return p.igammac(*core.promote_inexact("gammaincc", a, x))


# ----------------------------------------------------------------------------------------------------- derivatives, zeta

def digamma(x):
    return p.digamma(core.promote_inexact("digamma", x)[0])


def polygamma(n, x):
    dtype = core.dtype(n)
    if core.dtype_kind(dtype) != "int":
        raise ValueError(f"Argument `n` to polygamma must be of integer type. Got dtype {dtype}.")
    n, x = core.promote_inexact("polygamma", n, x)
    _reject_complex("polygamma", x)
    return p.polygamma(n, x)


@custom_jvp
def zeta(x, q=None):
    _check_hurwitz(q)
    return p.zeta(*core.promote_inexact("zeta", x, q))


def _check_hurwitz(q):
    if q is None:
        raise NotImplementedError("Riemann zeta function not implemented; pass q != None to compute the Hurwitz Zeta function.")


# (2k)! over the Bernoulli numbers B_2k: denominators of the terms of Euler and Maclaurin's sum.
_MACLAURIN = [12, -720, 30240, -1209600, 47900160, -1307674368000 / 691, 74724249600, -10670622842880000 / 3617]


def _zeta_sum(x, q=None):
    """Euler and Maclaurin's sum, which can be differentiated in both arguments."""
    _check_hurwitz(q)
    s, a = core.promote_inexact("zeta", x, q)
    count = 8
    wide_s, wide_a = jnp.expand_dims(s, -1), jnp.expand_dims(a, -1)
    k = jnp.expand_dims(core.numpy_array(range(count), a.dtype), tuple(range(a.ndim)))
    total = jnp.sum((wide_a + k) ** -wide_s, -1)
    rest = p.div((a + count) ** (1 - s), s - 1)
    first = (a + count) ** -s
    m = jnp.expand_dims(core.numpy_array(range(2 * count), a.dtype), tuple(range(s.ndim)))
    terms = jnp.cumprod((wide_s + m) / (wide_a + count), -1)[..., ::2]
    terms = jnp.clip(terms, max=core.finfo(a.dtype).max)
    terms = terms / jnp.expand_dims(core.numpy_array(_MACLAURIN[:terms.shape[-1]], a.dtype), tuple(range(a.ndim)))
    return total + rest + first * (0.5 + terms.sum(-1))


zeta.defjvp(functools.partial(jvp, _zeta_sum))
