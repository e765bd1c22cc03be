"""x log y and what is made of it."""
import math

from _jitlens import core, prims as p

from ... import numpy as jnp
from ..._custom_jvp import custom_jvp


@custom_jvp
def xlogy(x, y):
    x, y = core.promote_inexact("xlogy", x, y)
    return jnp.where((x != 0.0) | jnp.isnan(y), p.mul(x, p.log(y)), jnp.zeros_like(x))


@xlogy.defjvp
def _xlogy_jvp(primals, tangents):
    (x, y), (x_dot, y_dot) = primals, tangents
    out = xlogy(x, y)
    return out, (x_dot * p.log(y) + y_dot * x / y).astype(out.dtype)


@custom_jvp
def xlog1py(x, y):
    x, y = core.promote_inexact("xlog1py", x, y)
    return jnp.where((x != 0.0) | jnp.isnan(y), p.mul(x, p.log1p(y)), jnp.zeros_like(x))


@xlog1py.defjvp
def _xlog1py_jvp(primals, tangents):
    (x, y), (x_dot, y_dot) = primals, tangents
    out = xlog1py(x, y)
    return out, (x_dot * p.log1p(y) + y_dot * x / (1 + y)).astype(out.dtype)


@custom_jvp
def _xlogx(x):
    return xlogy(x, x)


@_xlogx.defjvp
def _xlogx_jvp(primals, tangents):
    return _xlogx(primals[0]), tangents[0] * (p.log(primals[0]) + 1)


def _reject_complex(name, x):
    if core.dtype_kind(x.dtype) == "complex":
        raise ValueError(f"{name} does not support complex-valued inputs.")


def entr(x):
    x, = core.promote_inexact("entr", x)
    _reject_complex("entr", x)
    negative = p.lt(x, core.scalar_like(x, 0))
    lowest = core.full_like(x, -math.inf)
    return p.select_n(negative, p.neg(_xlogx(x)), lowest)


# In these two the arguments have JAX's names, so that `p` is not the primitives' module.
def kl_div(p, q):
    p, q = core.promote_inexact("kl_div", p, q)
    _reject_complex("kl_div", p)
    return rel_entr(p, q) - p + q


def rel_entr(p, q):
    return _rel_entr(*core.promote_inexact("rel_entr", p, q))


def _rel_entr(a, b):
    _reject_complex("rel_entr", a)
    zero = core.scalar_like(a, 0.0)
    positive = p.and_(p.gt(a, zero), p.gt(b, zero))
    nothing = p.and_(p.eq(a, zero), p.ge(b, zero))
    safe_a, safe_b = jnp.where(positive, a, 1), jnp.where(positive, b, 1)
    found = p.sub(_xlogx(safe_a), xlogy(safe_a, safe_b))
    return jnp.where(positive, found, jnp.where(nothing, zero, math.inf))


def _power(name, log, x, lmbda):
    x, lmbda = core.promote_inexact(name, x, lmbda)
    is_zero = lmbda == 0
    safe = jnp.where(is_zero, jnp.ones_like(lmbda), lmbda)
    log_x = log(x)
    return jnp.where(is_zero, log_x, jnp.expm1(safe * log_x) / safe)


def boxcox(x, lmbda):
    return _power("boxcox", jnp.log, x, lmbda)


def boxcox1p(x, lmbda):
    return _power("boxcox1p", jnp.log1p, x, lmbda)
