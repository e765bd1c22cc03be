"""Error functions, the normal distribution's, the logistic ones, Bessel functions."""
import functools
import math

from _jitlens import core, prims as p

from ... import numpy as jnp
from ..._custom_jvp import custom_jvp


def erf(x):
    return p.erf(core.promote_inexact("erf", x)[0])


def erfc(x):
    return p.erfc(core.promote_inexact("erfc", x)[0])


def erfinv(x):
    return p.erf_inv(core.promote_inexact("erfinv", x)[0])


def expit(x):
    return p.logistic(core.promote_inexact("expit", x)[0])


@custom_jvp
def logit(x):
    x, = core.promote_inexact("logit", x)
    return p.log(p.div(x, p.sub(core.scalar_like(x, 1), x)))


logit.defjvps(lambda g, ans, x: p.div(g, p.mul(x, p.sub(core.scalar_like(x, 1), x))))


def i0e(x):
    return p.bessel_i0e(core.promote_inexact("i0e", x)[0])


def i0(x):
    x, = core.promote_inexact("i0", x)
    return p.mul(p.exp(p.abs(x)), p.bessel_i0e(x))


def i1e(x):
    return p.bessel_i1e(core.promote_inexact("i1e", x)[0])


def i1(x):
    x, = core.promote_inexact("i1", x)
    return p.mul(p.exp(p.abs(x)), p.bessel_i1e(x))


# ----------------------------------------------------------------------------------------------- normal distribution

def _number(x, like):
    """A NumPy scalar of the dtype of `like`."""
    return core.numpy_scalar(x, core.dtype(like))


def _check_float(dtype):
    if dtype.name not in ("float32", "float64"):
        raise TypeError(f"x.dtype={dtype} is not supported, see docstring for supported types.")


def ndtr(x):
    x = jnp.asarray(x)
    _check_float(x.dtype)
    return _ndtr(x)


def _ndtr(x):
    half_root = _number(0.5, x) * _number(2.0, x) ** _number(0.5, x)
    w = x * half_root
    z = p.abs(w)
    small = p.lt(z, half_root)
    near = _number(1.0, x) + p.erf(w)
    right = p.gt(w, _number(0.0, x))
    tail = _number(2.0, x) - p.erfc(z)
    return _number(0.5, x) * p.select_n(small, p.select_n(right, p.erfc(z), tail), near)


# Cephes: ratios of polynomials in the middle, for probabilities above exp(-32), and below.
_P0 = [-5.99633501014107895267E1, 9.80010754185999661536E1, -5.66762857469070293439E1, 1.39312609387279679503E1, -1.23916583867381258016E0]
_Q0 = [1.0, 1.95448858338141759834E0, 4.67627912898881538453E0, 8.63602421390890590575E1, -2.25462687854119370527E2,
       2.00260212380060660359E2, -8.20372256168333339912E1, 1.59056225126211695515E1, -1.18331621121330003142E0]
_P1 = [4.05544892305962419923E0, 3.15251094599893866154E1, 5.71628192246421288162E1, 4.40805073893200834700E1, 1.46849561928858024014E1,
       2.18663306850790267539E0, -1.40256079171354495875E-1, -3.50424626827848203418E-2, -8.57456785154685413611E-4]
_Q1 = [1.0, 1.57799883256466749731E1, 4.53907635128879210584E1, 4.13172038254672030440E1, 1.50425385692907503408E1, 2.50464946208309415979E0,
       -1.42182922854787788574E-1, -3.80806407691578277194E-2, -9.33259480895457427372E-4]
_P2 = [3.23774891776946035970E0, 6.91522889068984211695E0, 3.93881025292474443415E0, 1.33303460815807542389E0, 2.01485389549179081538E-1,
       1.23716634817820021358E-2, 3.01581553508235416007E-4, 2.65806974686737550832E-6, 6.23974539184983293730E-9]
_Q2 = [1.0, 6.02427039364742014255E0, 3.67983563856160859403E0, 1.37702099489081330271E0, 2.16236993594496635890E-1, 1.34204006088543189037E-2,
       3.28014464682127739104E-4, 2.89247864745380683936E-6, 6.79019408009981274425E-9]


def ndtri(p):
    if p is None:
        raise ValueError("Invalid argument to dtype: None.")
    _check_float(core.dtype(p))
    return _ndtri(p)


def _ndtri(q):
    shape = core.shape(q)
    dtype = core.dtype(q)

    def number(x):
        return core.numpy_scalar(x, dtype)

    def ratio(top, bottom, x):
        top, bottom = core.numpy_array(top, dtype), core.numpy_array(bottom, dtype)
        return jnp.polyval(top, x) / jnp.polyval(bottom, x)

    folded = jnp.where(q > number(-math.expm1(-2.0)), number(1.0) - q, q)
    safe = jnp.where(folded == number(0.0), jnp.full(shape, number(0.5)), folded)
    w = safe - number(0.5)
    ww = p.square(w)
    middle = w + w * ww * ratio(_P0, _Q0, ww)
    middle *= -number(math.sqrt(2.0 * math.pi))
    z = p.sqrt(number(-2.0) * p.log(safe))
    first = z - p.log(z) / z
    far = ratio(_P2, _Q2, 1 / z) / z
    tail = ratio(_P1, _Q1, 1 / z) / z
    x_far, x_tail = first - far, first - tail
    x = jnp.where(safe > number(math.exp(-2.0)), middle, jnp.where(z >= number(8.0), x_far, x_tail))
    x = jnp.where(q > number(1.0 - math.exp(-2.0)), x, -x)
    infinity = jnp.full(shape, number(math.inf))
    return jnp.where(q == number(0.0), -infinity, jnp.where(q == number(1.0), infinity, x))


@functools.partial(custom_jvp, nondiff_argnums=(1,))
def log_ndtr(x, series_order=3):
    if not isinstance(series_order, int):
        raise TypeError("series_order must be a Python integer.")
    if series_order < 0:
        raise ValueError("series_order must be non-negative.")
    if series_order > 30:
        raise ValueError("series_order must be <= 30.")
    x = jnp.asarray(x)
    if x.dtype.name not in ("float32", "float64"):
        raise TypeError(f"x.dtype={x.dtype} is not supported.")
    wide = x.dtype.name == "float64"
    lower, upper = core.numpy_array(-20 if wide else -10, x.dtype), core.numpy_array(8 if wide else 5, x.dtype)
    above = p.gt(x, upper)
    found = _ndtr(jnp.where(above, -x, p.max(x, lower)))
    minus = -found
    inside = p.gt(x, lower)
    log = p.log(found)
    below = _log_ndtr_lower(p.min(x, lower), series_order)
    return jnp.where(above, minus, jnp.where(inside, log, below))


@log_ndtr.defjvp
def _log_ndtr_jvp(series_order, primals, tangents):
    (x,), (t,) = primals, tangents
    out = log_ndtr(x, series_order=series_order)
    log_density = p.sub(p.mul(core.scalar_like(x, -0.5), p.square(x)), core.scalar_like(x, math.log(math.sqrt(2 * math.pi))))
    return out, p.mul(t, p.exp(p.sub(log_density, out)))


def _log_ndtr_lower(x, series_order):
    square = p.square(x)
    log_scale = -_number(0.5, x) * square - p.log(-x) - _number(0.5 * math.log(2.0 * math.pi), x)
    return log_scale + p.log(_asymptotic(x, series_order))


def _asymptotic(x, series_order):
    if series_order <= 0:
        return core.numpy_array(1, x.dtype)
    square = p.square(x)
    even, odd = jnp.zeros_like(x), jnp.zeros_like(x)
    power = square
    for n in range(1, series_order + 1):
        term = core.numpy_array(math.prod(range(2 * n - 1, 1, -2)), x.dtype) / power
        if n % 2:
            odd += term
        else:
            even += term
        power *= square
    return _number(1.0, x) + even - odd
