"""Polynomials as arrays of coefficients, highest power first."""
from _jitlens import core, prims as p

from . import _low, linalg
from ._creation import arange, array, diag, full, ones, vander, zeros
from ._differences import convolve
from ._join import concatenate
from ._manipulate import atleast_1d, roll, trim_zeros

where = _low.where


def _roots_no_zeros(c):
    if c.size < 2:
        return array([], dtype=core.to_complex_dtype(c.dtype))
    companion = diag(ones((c.size - 2,), c.dtype), -1)
    return linalg.eigvals(companion.at[0, :].set(-c[1:] / c[0]))


@core.jit
def _roots_with_zeros(p, num_leading_zeros):
    from _jitlens import prims
    p = where(p.shape[0] == num_leading_zeros, 1.0, p)
    found = _roots_no_zeros(roll(p, -num_leading_zeros))
    found = prims.sort(found == 0, found, dimension=0, is_stable=True, num_keys=1)[1]
    return where(arange(found.size) < found.size - num_leading_zeros, found, complex(float("nan"), float("nan")))


def roots(p, *, strip_zeros=True):
    from ._reductions import all
    from ._sorting import argmin
    c, = core.promote_dtypes_inexact(core.arraylike("roots", p))
    c = atleast_1d(c)
    if c.ndim != 1:
        raise ValueError("Input must be a rank-1 array.")
    if c.size < 2:
        return array([], dtype=core.to_complex_dtype(c.dtype))
    zeros_first = where(all(c == 0), c.shape[0], argmin(c == 0))
    if not strip_zeros:
        return _roots_with_zeros(c, zeros_first)
    zeros_first = core.concrete_int(
        zeros_first, "The error occurred in the jnp.roots() function. To use this within a JIT-compiled context, pass "
        "strip_zeros=False, but be aware that leading zeros will result in some returned roots being set to NaN.")
    return _roots_no_zeros(c[zeros_first:])


def _check_fit(x, y, deg):
    if deg < 0:
        raise ValueError("expected deg >= 0")
    if x.ndim != 1:
        raise TypeError("expected 1D vector for x")
    if x.size == 0:
        raise TypeError("expected non-empty vector for x")
    if y.ndim < 1 or y.ndim > 2:
        raise TypeError("expected 1D or 2D array for y")
    if x.shape[0] != y.shape[0]:
        raise TypeError("expected x and y to have same length")


@core.jit(static_argnames=("deg", "rcond", "full", "cov"))
def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    from ._linear import dot, outer
    if w is None:
        x, y = core.arraylike("polyfit", x, y)
    else:
        x, y, w = core.arraylike("polyfit", x, y, w)
    deg = core.concrete_int(deg, "deg must be int")
    order = deg + 1
    _check_fit(x, y, deg)
    if rcond is None:
        rcond = x.shape[0] * float(core.finfo(x.dtype).eps)
    rcond = float(core.concrete(rcond, "rcond must be float"))
    lhs, rhs = vander(x, order), y
    if w is not None:
        w, = core.promote_dtypes_inexact(w)
        if w.ndim != 1:
            raise TypeError("expected a 1-d array for weights")
        if w.shape[0] != y.shape[0]:
            raise TypeError("expected w and y to have the same length")
        lhs = lhs * w[:, None]
        rhs = rhs * (w[:, None] if rhs.ndim == 2 else w)
    scale = p.sqrt((lhs * lhs).sum(axis=0))
    lhs = lhs / scale[None, :]
    c, residuals, rank, s = linalg.lstsq(lhs, rhs, rcond)
    c = (c.T / scale[None, :]).T if c.ndim > 1 else c / scale
    if full:
        return c, residuals, rank, s, core.asarray(rcond)
    if not cov:
        return c
    base = linalg.inv(dot(lhs.T, lhs)) / outer(scale, scale)
    if cov == "unscaled":
        factor = array(1.0)
    else:
        if x.shape[0] <= order:
            raise ValueError("the number of data points must exceed order to scale the covariance matrix")
        factor = residuals / (x.shape[0] - order)
    if y.ndim == 1:
        return c, base * atleast_1d(factor)[None]
    return c, base[:, :, None] * atleast_1d(factor)[None, None, :]


@core.jit
def poly(seq_of_zeros):
    c, = core.promote_dtypes_inexact(core.arraylike("poly", seq_of_zeros))
    c = atleast_1d(c)
    if c.ndim == 2 and c.shape[0] == c.shape[1] and c.shape[0] != 0:
        c = linalg.eigvals(c)
    if c.ndim != 1:
        raise ValueError("input must be 1d or non-empty square 2d array.")
    if c.shape[0] == 0:
        return ones((), dtype=c.dtype)
    result = ones((1,), dtype=c.dtype)
    for k in range(c.shape[0]):
        result = convolve(result, array([1, -c[k]], dtype=c.dtype), mode="full")
    return result


@core.jit(static_argnames=("unroll",))
def polyval(p, x, *, unroll=16):
    from jax import lax
    c, x = core.promote_dtypes(*core.arraylike("polyval", p, x))
    shape = core.broadcast_shapes(c.shape[1:], x.shape)
    start = core.full_like(x, 0, x.dtype, shape)
    y, _ = lax.scan(lambda y, c: (y * x + c, None), start, c, unroll=unroll)
    return y


@core.jit
def polyadd(a1, a2):
    a, b = core.promote_dtypes(*core.arraylike("polyadd", a1, a2))
    if b.shape[0] <= a.shape[0]:
        return a.at[-b.shape[0]:].add(b)
    return b.at[-a.shape[0]:].add(a)


@core.jit
def polysub(a1, a2):
    a, b = core.promote_dtypes(*core.arraylike("polysub", a1, a2))
    return polyadd(a, -b)


@core.jit(static_argnames=("m",))
def polyint(p, m=1, k=None):
    from ._ufuncs import apply
    m = core.concrete_index(m, "'m' argument of jnp.polyint")
    c, k = core.promote_dtypes_inexact(*core.arraylike("polyint", p, 0 if k is None else k))
    len(c)
    if m < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    k = atleast_1d(k)
    if k.shape[0] == 1:
        k = full((m,), k[0])
    if k.shape != (m,):
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or m.")
    if m == 0:
        return c
    grid = arange(c.shape[0] + m, dtype=c.dtype)[None] - arange(m, dtype=c.dtype)[:, None]
    divisors = apply("maximum", 1, grid).prod(0)[::-1]
    return apply("true_divide", concatenate((c, k)), divisors)


@core.jit(static_argnames=("m",))
def polyder(p, m=1):
    c = core.arraylike("polyder", p)
    m = core.concrete_index(m, "'m' argument of jnp.polyder")
    c, = core.promote_dtypes_inexact(c)
    if m < 0:
        raise ValueError("Order of derivative must be positive")
    if m == 0:
        return c
    len(c)
    factors = (arange(m, c.shape[0], dtype=c.dtype)[None] - arange(m, dtype=c.dtype)[:, None]).prod(0)
    return c[:-m] * factors[::-1]


def polymul(a1, a2, *, trim_leading_zeros=False):
    a, b = core.promote_dtypes_inexact(*core.arraylike("polymul", a1, a2))
    if trim_leading_zeros and (len(a) > 1 or len(b) > 1):
        a, b = trim_zeros(a, trim="f"), trim_zeros(b, trim="f")
    if len(a) == 0:
        a = zeros(1, dtype=b.dtype)
    if len(b) == 0:
        b = zeros(1, dtype=a.dtype)
    return convolve(a, b, mode="full")


def polydiv(u, v, *, trim_leading_zeros=False):
    u, v = core.promote_dtypes_inexact(*core.arraylike("polydiv", u, v))
    steps, degree = len(u) - len(v), len(v) - 1
    scale = 1.0 / v[0]
    quotient = zeros(max(steps + 1, 1), dtype=u.dtype)
    for k in range(steps + 1):
        factor = scale * u[k]
        quotient = quotient.at[k].set(factor)
        u = u.at[k:k + degree + 1].add(-factor * v)
    if trim_leading_zeros:
        u = _without_small(u, float(core.finfo(u.dtype).eps) ** 0.5)
    return quotient, u


def _without_small(c, tolerance):
    """Without the leading coefficients below a tolerance."""
    import numpy as np
    known = core.concrete_numpy(c, "Error arose in the `filt` argument of trim_zeros_tol()")
    small = np.abs(known) < tolerance
    if small.all():
        return core.full((0,), 0, c.dtype)
    return c[int(np.argmin(small)):]
