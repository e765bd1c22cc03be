"""Hypergeometric functions, Bessel functions, Bernoulli numbers and spherical harmonics."""
import functools
import math

from _jitlens import core, prims as p

from ... import numpy as jnp
from ...lax import fori_loop
from ._gamma import gamma

_TERMS = 400


def _real(name, args):
    args = core.promote_inexact(name, *jnp.broadcast_arrays(*[jnp.asarray(x) for x in args]))
    if core.dtype_kind(args[0].dtype) == "complex":
        if name == "hyp2f1":
            p.rem(*args[:2])        # refuses them
        raise ValueError(f"{name} does not support complex-valued inputs.")
    return args


def _series(above, below, x):
    """The sum of products of rising factorials over those below, times powers of x over factorials."""
    def step(k, state):
        total, term = state
        k = k.astype(x.dtype)
        for a in above:
            term = term * (a + k)
        for b in below:
            term = term / (b + k)
        term = term * x / (k + 1)
        return total + term, term

    one = jnp.ones_like(x)
    return fori_loop(0, _TERMS, step, (one, one))[0]


def hyp1f1(a, b, x):
    return _hyp1f1(*_real("hyp1f1", (a, b, x)))


@core.jit
def _hyp1f1(a, b, x):
    # Kummer: for negative x with the sum's terms of one sign. Far out the leading terms at infinity.
    size = jnp.abs(x)
    upper = jnp.where(x < 0, b - a, a)
    far = size >= 100
    near = _series((upper,), (b,), jnp.where(far, 1.0, size)) * jnp.where(x < 0, p.exp(jnp.where(far, 0.0, x)), 1.0)
    there = jnp.where(far, size, 100.0)
    scale = gamma(b) / gamma(upper) * p.exp(jnp.where(far, (upper - b) * p.log(there) + jnp.where(x < 0, 0.0, there), 0.0))

    def step(k, state):
        total, term = state
        k = k.astype(x.dtype)
        term = term * (b - upper + k) * (1 - upper + k) / (there * (k + 1))
        return total + term, term

    one = jnp.ones_like(x)
    found = jnp.where(far, scale * fori_loop(0, 8, step, (one, one))[0], near)
    return jnp.where(b == 0, jnp.where(a == 0, 1.0, jnp.inf), found)


def hyp2f1(a, b, c, x):
    return _hyp2f1(*_real("hyp2f1", (a, b, c, x)))


@core.jit
def _hyp2f1(a, b, c, x):
    # Pfaff: what is below 0 comes to lie between 0 and 1. Close to 1 the sums at 1 - x.
    negative = x < 0
    z = jnp.where(negative, x / (x - 1), x)
    second = jnp.where(negative, c - b, b)
    inside = jnp.where((z >= 0) & (z < 1), z, 0.5)
    close = inside > 0.9
    near = _series((a, second), (c,), jnp.where(close, 0.5, inside))
    s = c - a - second
    whole = s == jnp.round(s)
    gap = jnp.where(whole, 0.5, s)
    rest = 1 - jnp.where(close, inside, 0.5)
    at_one = (gamma(c) * gamma(gap) / (gamma(c - a) * gamma(c - second)) * _series((a, second), (1 - gap,), rest)
              + rest ** gap * gamma(c) * gamma(-gap) / (gamma(a) * gamma(second)) * _series((c - a, c - second), (gap + 1,), rest))
    slow = _series((a, second), (c,), inside)
    found = jnp.where(close, jnp.where(whole, slow, at_one), near) * jnp.where(negative, (1 - x) ** -a, 1.0)
    at_end = jnp.where(c - a - b > 0, gamma(c) * gamma(jnp.where(c - a - b > 0, c - a - b, 1.0)) / (gamma(c - a) * gamma(c - b)), math.inf)
    return jnp.where(x == 0, 1.0, jnp.where(x < 1, found, jnp.where(x == 1, at_end, math.inf)))


# ------------------------------------------------------------------------------------------------ Bessel, Bernoulli

@core.jit(static_argnames=("v", "n_iter"))
def bessel_jn(z, *, v, n_iter=50):
    z, = core.promote_dtypes_inexact(jnp.asarray(z))
    v = core.concrete_index(v, "Argument v of bessel_jn.")
    n_iter = core.concrete_index(n_iter, "Argument n_iter of bessel_jn.")
    # Miller: down from an order where the function is as good as nothing, and scaled by the sum of all even orders.
    above, at, total = jnp.zeros_like(z), jnp.full_like(z, 1e-16), jnp.zeros_like(z)
    orders = []
    for k in range(n_iter, -1, -1):
        below = 2 * (k + 1) * at / z - above
        if k <= v:
            orders.append(below)
        if k % 2 == 0:
            total = total + 2 * below
        above, at = at, below
    return core.strong(jnp.stack(orders[::-1]) / (total - at))


def bernoulli(n):
    n = core.concrete_index(n, "Argument n of bernoulli")
    if n < 0:
        raise ValueError("n must be a non-negative integer.")
    numbers = [1.0, -0.5][:n + 1]
    for k in range(2, n + 1):
        numbers.append(_bernoulli(k))
    return jnp.array(numbers)


def _bernoulli(k):
    if k % 2:
        return 0.0
    if k == 2:
        return 1 / 6
    zeta = sum([m ** -float(k) for m in range(60, 0, -1)])
    value = 2 * zeta * math.exp(math.lgamma(k + 1) - k * math.log(2 * math.pi))
    return value if k % 4 == 2 else -value


# ------------------------------------------------------------------------------------------------ spherical harmonics

def sph_harm_y(n, m, theta, phi, diff_n=None, n_max=None):
    if diff_n is not None:
        raise NotImplementedError("The 'diff_n' argument to jax.scipy.special.sph_harm_y is not supported.")
    if jnp.isscalar(theta):
        theta = jnp.array([theta])
    if n_max is None:
        if n is None:
            core.check_arraylike("max", n)
        n_max = jnp.max(jnp.asarray(n))
    n_max = int(core.concrete(n_max, "The `n_max` argument of `jnp.scipy.special.sph_harm` must be statically specified to use `sph_harm` "
                                     "within JAX transformations."))
    core.check_arraylike("cos", theta)
    if core.ndim(theta) > 1:
        raise ValueError("Incompatible types for broadcasting: a polar angle has one axis.")
    count = len(n)
    if core.dtype_kind(core.dtype(jnp.asarray(n))) != "int":
        raise TypeError("Indexer must have integer or boolean type, got indexer with type float32.")
    return _sph_harm_y(n, m, theta, phi, n_max, count)


@functools.partial(core.jit, static_argnums=(4, 5))
def _sph_harm_y(n, m, theta, phi, n_max, count):
    n, m, theta, phi = jnp.asarray(n), jnp.asarray(m), jnp.asarray(theta), jnp.asarray(phi)
    table = _legendre(n_max, jnp.cos(theta))
    order = jnp.abs(m)
    value = table.at[order, n, jnp.arange(count)].get(mode="clip")
    angle = order * phi
    found = p.complex(value * jnp.cos(angle), value * jnp.sin(angle))
    return jnp.where(m < 0, (-1.0) ** order * jnp.conjugate(found), found)


def _legendre(degree, x):
    """Associated Legendre functions, scaled so that their squares integrate to 1 over the sphere: by order, degree and place."""
    side = jnp.sqrt(jnp.maximum(1 - x * x, 0))
    rows, diagonal = [], jnp.full_like(x, math.sqrt(1 / (4 * math.pi)))
    for m in range(degree + 1):
        if m:
            diagonal = -math.sqrt((2 * m + 1) / (2 * m)) * side * diagonal
        row = [jnp.zeros_like(x)] * m + [diagonal]
        for n in range(m + 1, degree + 1):
            scale = math.sqrt((4 * n * n - 1) / (n * n - m * m))
            before = math.sqrt(((n - 1) ** 2 - m * m) / (4 * (n - 1) ** 2 - 1)) if n > m + 1 else 0.0
            row.append(scale * (x * row[n - 1] - before * row[n - 2]) if n > m + 1 else scale * x * row[n - 1])
        rows.append(jnp.stack(row))
    return jnp.stack(rows)
