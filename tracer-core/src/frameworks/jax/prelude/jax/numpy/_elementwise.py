"""Element-wise functions that are more than one primitive."""
import operator

from _jitlens import core, prims as p

from . import _low
from ._low import select, where
from ._ufuncs import apply

_PI = 3.141592653589793


def fabs(x, /):
    x = core.arraylike("fabs", x)
    if x.dtype.kind == "c":
        raise TypeError("ufunc 'fabs' does not support complex dtypes")
    return p.abs(*core.promote_inexact("fabs", x))


def positive(x, /):
    return core.promote("positive", x)[0]


def reciprocal(x, /):
    x, = core.promote_dtypes_inexact(core.arraylike("reciprocal", x))
    return p.integer_pow(x, y=-1)


def power(x1, x2, /):
    """A known integer exponent is an `integer_pow`; other exponents depend on the dtypes."""
    core.check_arraylike("power", x1, x2)
    if core.is_concrete(x2) and not core.is_unknown_scalar(x2):
        try:
            exponent = operator.index(x2)
        except TypeError:
            pass
        else:
            x1, = core.promote_dtypes_numeric(x1)
            return p.integer_pow(x1, y=exponent)
    x1, x2 = core.promote_shapes("power", x1, x2)
    x, y = core.promote_numeric("power", x1, x2)
    if _low.is_kind(x.dtype, "integer"):
        return _integer_power(x, y)
    if _low.is_kind(x1.dtype, "inexact") and _low.is_kind(x2.dtype, "integer"):
        return p.pow(x1, x2)
    return p.pow(x, y)


def pow(x1, x2, /):
    return power(x1, x2)


def _integer_power(base, exponent):
    """By repeated squaring over the six lowest bits of the exponent."""
    _low.check_whole_bytes(exponent.dtype)
    zero, one = core.constant(0, exponent.dtype), core.constant(1, exponent.dtype)
    result = where(p.and_(p.eq(base, zero), p.ne(exponent, zero)), zero, one)
    for _ in range(6):
        result = where(p.and_(exponent, one), p.mul(result, base), result)
        base = p.mul(base, base)
        exponent = p.shift_right_logical(exponent, one)
    return result


def right_shift(x1, x2, /):
    x1, x2 = core.promote_numeric("right_shift", x1, x2)
    shift = p.shift_right_logical if x1.dtype.kind == "u" else p.shift_right_arithmetic
    return shift(x1, x2)


def bitwise_right_shift(x1, x2, /):
    return right_shift(x1, x2)


@core.jit
def bitwise_count(x, /):
    x, = core.promote_numeric("bitwise_count", x)
    return core.convert(p.population_count(apply("absolute", x)), core.user_dtype("uint8", "astype"))


@core.jit
def arccosh(x, /):
    result = p.acosh(*core.promote_inexact("arccosh", x))
    if result.dtype.kind == "c":
        result = where(p.real(result) < 0, p.neg(result), result)
    return result


def acosh(x, /):
    return arccosh(*core.promote("acosh", x))


@core.jit
def rint(x, /):
    x = core.arraylike("rint", x)
    if x.dtype == bool or _low.is_kind(x.dtype, "integer"):
        return core.convert(x, core.default_float())
    if x.dtype.kind == "c":
        return p.complex(rint(p.real(x)), rint(p.imag(x)))
    return p.round(x, rounding_method=1)


@core.jit
def trunc(x):
    x = core.arraylike("trunc", x)
    if x.dtype == bool or _low.is_kind(x.dtype, "integer"):
        return x
    zero = core.scalar_like(x, 0)
    return where(p.lt(x, zero), apply("ceil", x), apply("floor", x))


@core.jit
def copysign(x1, x2, /):
    x1, x2 = core.promote_inexact("copysign", x1, x2)
    if x1.dtype.kind == "c":
        raise TypeError("copysign does not support complex-valued inputs")
    return where(signbit(x2), p.neg(p.abs(x1)), p.abs(x1))


@core.jit
def signbit(x, /):
    x, = core.promote("signbit", x)
    dtype = x.dtype
    if _low.is_kind(dtype, "integer"):
        return p.lt(x, core.constant(0, dtype))
    if dtype == bool:
        return core.full_like(x, False, core.user_dtype(bool, "full_like"))
    if not _low.is_kind(dtype, "floating"):
        raise ValueError("jax.numpy.signbit is not well defined for %s" % dtype)
    info = core.finfo(dtype)
    if info.bits not in (16, 32, 64):
        raise NotImplementedError("jax.numpy.signbit only supports 16, 32, and 64-bit types.")
    bits = p.bitcast_convert_type(x, new_dtype=core.canonical_dtype(f"int{info.bits}"))
    shifted = p.shift_right_arithmetic(bits, core.scalar_like(bits, info.nexp + info.nmant))
    return core.convert(shifted, core.canonical_dtype(bool))


@core.jit
def floor_divide(x1, x2, /):
    x1, x2 = core.promote_numeric("floor_divide", x1, x2)
    if _low.is_kind(x1.dtype, "unsigned"):
        return _over_zero(p.div(x1, x2), x2)
    if _low.is_kind(x1.dtype, "integer"):
        quotient = p.div(x1, x2)
        signs_differ = p.sign(x1) != p.sign(x2)
        remains = p.rem(x1, x2) != 0
        return _over_zero(where(apply("logical_and", signs_differ, remains), quotient - 1, quotient), x2)
    if x1.dtype.kind == "c":
        raise TypeError("floor_divide does not support complex-valued inputs")
    return _float_divmod(x1, x2)[0]


def _over_zero(quotient, x2):
    """Integers over zero are zero in NumPy, and what the device makes of them in JAX."""
    return where(x2 == 0, core.scalar_like(quotient, 0), quotient) if core.is_numpy() else quotient


@core.jit
def divmod(x1, x2, /):
    x1, x2 = core.promote_numeric("divmod", x1, x2)
    if _low.is_kind(x1.dtype, "integer"):
        return floor_divide(x1, x2), remainder(x1, x2)
    return _float_divmod(x1, x2)


def _float_divmod(x1, x2):
    rest = p.rem(x1, x2)
    whole = p.div(where(x2 == 0, x1, p.sub(x1, rest)), x2)
    fix = p.and_(rest != 0, p.ne(p.sign(x2), p.sign(rest)))
    rest, whole = select(fix, rest + x2, rest), select(fix, whole - 1.0, whole)
    return p.round(whole, rounding_method=0), rest


@core.jit
def remainder(x1, x2, /):
    x1, x2 = core.promote_numeric("remainder", x1, x2)
    zero = core.constant(0, x1.dtype)
    if _low.is_kind(x2.dtype, "integer"):
        x2 = where(x2 == 0, core.full_like(x2, 1), x2)
    rest = p.rem(x1, x2)
    remains = p.ne(rest, zero)
    wrong_side = p.and_(p.ne(p.lt(rest, zero), p.lt(x2, zero)), remains)
    return select(wrong_side, p.add(rest, x2), rest)


def mod(x1, x2, /):
    return remainder(x1, x2)


@core.jit
def fmod(x1, x2, /):
    x1, x2 = core.arraylike("fmod", x1, x2)
    if _low.is_kind(core.result_type(x1, x2), "integer"):
        x2 = where(x2 == 0, core.full_like(x2, 1), x2)
    return p.rem(*core.promote_numeric("fmod", x1, x2))


def log2(x, /):
    x, = core.promote_inexact("log2", x)
    if x.dtype.kind == "c":
        logs = p.log(x)
        real, imag = p.real(logs), p.imag(logs)
        base = p.log(core.constant(2, real.dtype))
        return p.complex(p.div(real, base), p.div(imag, base))
    return p.div(p.log(x), p.log(core.constant(2, x.dtype)))


def log10(x, /):
    x, = core.promote_inexact("log10", x)
    if x.dtype.kind == "c":
        logs = p.log(x)
        real, imag = p.real(logs), p.imag(logs)
        factor = core.constant(0.4342944819032518, real.dtype)
        return p.complex(p.mul(real, factor), p.mul(imag, factor))
    return p.mul(p.log(x), core.constant(0.4342944819032518, x.dtype))


def deg2rad(x, /):
    x, = core.promote_inexact("deg2rad", x)
    return p.mul(x, core.scalar_like(x, _PI / 180))


def rad2deg(x, /):
    x, = core.promote_inexact("rad2deg", x)
    return p.mul(x, core.scalar_like(x, 180 / _PI))


def radians(x, /):
    return deg2rad(x)


def degrees(x, /):
    return rad2deg(x)


def conjugate(x, /):
    x = core.arraylike("conjugate", x)
    return p.conj(x, input_dtype=x.dtype) if x.dtype.kind == "c" else x


def conj(x, /):
    return conjugate(x)


def real(val, /):
    val = core.arraylike("real", val)
    return p.real(val) if val.dtype.kind == "c" else val


def imag(val, /):
    val = core.arraylike("imag", val)
    return p.imag(val) if val.dtype.kind == "c" else core.full_like(val, 0)


@core.jit
def modf(x, /, out=None):
    x, = core.promote_dtypes_inexact(core.arraylike("modf", x))
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.modf is not supported.")
    whole = where(p.ge(x, core.scalar_like(x, 0)), apply("floor", x), apply("ceil", x))
    return x - whole, whole


def _all_equal(x, value):
    return core.full_like(x, value, core.canonical_dtype(bool))


def isfinite(x, /):
    x = core.arraylike("isfinite", x)
    if _low.is_kind(x.dtype, "floating"):
        return p.is_finite(x)
    if x.dtype.kind == "c":
        return p.and_(p.is_finite(p.real(x)), p.is_finite(p.imag(x)))
    return _all_equal(x, True)


@core.jit
def isinf(x, /):
    x = core.arraylike("isinf", x)
    if _low.is_kind(x.dtype, "floating"):
        return p.eq(p.abs(x), core.constant(float("inf"), x.dtype))
    if x.dtype.kind == "c":
        re, im = p.real(x), p.imag(x)
        inf = core.constant(float("inf"), re.dtype)
        return p.or_(p.eq(p.abs(re), inf), p.eq(p.abs(im), inf))
    return _all_equal(x, False)


def _is_signed_inf(infinity, x, out):
    if out is not None:
        raise NotImplementedError("The 'out' argument to isneginf/isposinf is not supported.")
    if _low.is_kind(x.dtype, "floating"):
        return p.eq(x, core.constant(infinity, x.dtype))
    if x.dtype.kind == "c":
        raise ValueError("isposinf/isneginf are not well defined for complex types")
    return _all_equal(x, False)


def isposinf(x, /, out=None):
    return _is_signed_inf(float("inf"), core.arraylike("isposinf", x), out)


def isneginf(x, /, out=None):
    return _is_signed_inf(float("-inf"), core.arraylike("isneginf", x), out)


def isnan(x, /):
    x = core.arraylike("isnan", x)
    return p.ne(x, x)


@core.jit
def heaviside(x1, x2, /):
    x1, x2 = core.promote_dtypes_inexact(*core.arraylike("heaviside", x1, x2))
    zero, one = core.scalar_like(x1, 0), core.scalar_like(x1, 1)
    return where(p.lt(x1, zero), zero, where(p.gt(x1, zero), one, where(p.ne(x1, x1), x1, x2)))


@core.jit
def hypot(x1, x2, /):
    x1, x2 = core.promote_inexact("hypot", x1, x2)
    if x1.dtype.kind == "c":
        raise ValueError("jnp.hypot is not well defined for complex-valued inputs. "
                         "Please convert to real values first, such as by using abs(x)")
    x1, x2 = p.abs(x1), p.abs(x2)
    infinite = p.or_(isposinf(x1), isposinf(x2))
    x1, x2 = apply("maximum", x1, x2), apply("minimum", x1, x2)
    at_zero = x1 == 0
    ratio = p.div(x2, where(x1 == 0, core.full_like(x1, 1), x1))
    hypotenuse = where(at_zero, x1, x1 * p.sqrt(1 + p.square(ratio)))
    return where(infinite, core.scalar_like(x1, float("inf")), hypotenuse)


@core.jit
def sinc(x, /):
    x, = core.promote_dtypes_inexact(core.arraylike("sinc", x))
    at_zero = p.eq(x, core.scalar_like(x, 0))
    scaled = p.mul(core.scalar_like(x, _PI), x)
    safe = where(at_zero, core.scalar_like(x, 1), scaled)
    return where(at_zero, _sinc_at_zero(0, scaled), p.div(p.sin(safe), safe))


def _sinc_derivative(order, x):
    """The derivative of that order of sinc at zero, kept a function of `x` so that it can be differentiated again."""
    if order % 2:
        return x * 0
    return x * 0 + core.scalar_like(x, (-1) ** (order // 2) / (order + 1))


def _sinc_maclaurin(k, x):
    return _sinc_derivative(k, x)


_sinc_at_zero = core.custom_jvp(_sinc_maclaurin, nondiff_argnums=(0,))


@_sinc_at_zero.defjvp
def _sinc_maclaurin_jvp(k, primals, tangents):
    (x,), (t,) = primals, tangents
    return _sinc_at_zero(k, x), _sinc_at_zero(k + 1, x) * t


def spacing(x, /):
    x, = core.promote_inexact("spacing", x)
    if x.dtype.kind == "c":
        raise ValueError("jnp.spacing is not defined for complex inputs.")
    inf = core.scalar_like(x, float("inf"))
    if x.dtype == "float16":
        return p.nextafter(x, core.asarray(inf)) - x
    gap = p.nextafter(x, copysign(inf, x)) - x
    return where(gap == 0, copysign(core.finfo(x.dtype).smallest_subnormal, x), gap)


def _split_subnormal(x):
    """The bits of `x`, subnormals scaled up, and the exponent to add for that."""
    info = core.finfo(x.dtype)
    int_dtype = core.canonical_dtype(f"int{info.bits}")
    small = p.abs(x) < info.tiny
    scaled = where(small, x * core.scalar_like(x, 1 << info.nmant), x)
    shift = where(small, core.constant(-info.nmant, int_dtype), core.constant(0, int_dtype))
    return p.bitcast_convert_type(scaled, new_dtype=int_dtype), shift


@core.jit
def frexp(x, /):
    x, = core.promote_dtypes_inexact(core.arraylike("frexp", x))
    if x.dtype.kind == "c":
        raise TypeError("frexp does not support complex-valued inputs")
    if x.dtype.itemsize == 1:
        raise KeyError(8)
    return _frexp(x)


@core.custom_jvp
def _frexp(x):
    info = core.finfo(x.dtype)
    mask = (1 << info.nexp) - 1
    bias = 1 - info.minexp
    bits, exponent = _split_subnormal(x)
    exponent = exponent + (((bits >> info.nmant) & mask) - bias + 1)
    bits = bits & ~(mask << info.nmant)
    bits = bits | ((bias - 1) << info.nmant)
    mantissa = p.bitcast_convert_type(bits, new_dtype=x.dtype)
    special = isinf(x) | isnan(x) | (x == 0)
    exponent = where(special, core.full_like(exponent, 0), exponent)
    return where(special, x, mantissa), core.convert(exponent, core.canonical_dtype("int32"))


@_frexp.defjvp
def _frexp_jvp(primals, tangents):
    (x,), (t,) = primals, tangents
    mantissa, exponent = frexp(x)
    return (mantissa, exponent), (t * apply("exp2", p.neg(core.convert(exponent, t.dtype))), core.float0_like(exponent))


@core.jit
def ldexp(x1, x2, /):
    x1, x2 = core.arraylike("ldexp", x1, x2)
    if x1.dtype.kind == "c" or _low.is_kind(x2.dtype, "inexact"):
        raise ValueError(f"ldexp not supported for input types {(x1.dtype, x2.dtype)}")
    x1, = core.promote_inexact("ldexp", x1)
    x2 = core.convert(x2, x1.dtype)
    mantissa, exponent = frexp(x1)
    exponent = core.convert(core.convert(exponent, x2.dtype) + x2, x1.dtype)
    positive = exponent > 0
    mantissa = where(positive, mantissa * 2, mantissa)
    exponent = where(exponent > 0, exponent - 1, exponent)
    x = mantissa * power(2, core.convert(exponent, mantissa.dtype))
    return where(isinf(x1) | (x1 == 0), x1, x)


def _is_nan(x):
    return p.ne(x, x)


def _wrap_between(x, limit):
    limit, twice = core.scalar_like(x, limit), core.scalar_like(x, 2 * limit)
    rest = p.rem(p.add(x, limit), twice)
    return p.sub(select(p.lt(rest, core.scalar_like(rest, 0)), p.add(rest, twice), rest), limit)


def _logaddexp(x1, x2, exp, scale):
    """The logarithm of a sum of powers of e, or with `exp2` and 1/ln 2 as `scale` of two."""
    x1, x2 = core.asarray(x1), core.asarray(x2)
    largest = p.max(x1, x2)

    def tail(exponent):
        logs = p.log1p(exp(exponent))
        return logs if scale is None else p.mul(core.scalar_like(largest, scale), logs)
    if x1.dtype.kind != "c":
        delta = p.sub(x1, x2)
        return select(_is_nan(delta), p.add(x1, x2), p.add(largest, tail(p.neg(p.abs(delta)))))
    delta = p.sub(p.add(x1, x2), p.mul(largest, core.scalar_like(largest, 2)))
    out = p.add(largest, tail(delta))
    return p.complex(p.real(out), _wrap_between(p.imag(out), _PI * (scale or 1.0)))


def _finite_or_zero(x):
    re = p.real(x) if x.dtype.kind == "c" else x
    return select(p.eq(re, core.scalar_like(re, float("inf"))), core.full_like(x, 0), x)


def _logaddexp_tangent(function, exp, primals, tangents):
    # What was a number in the program is one here too.
    (x1, x2), (t1, t2) = map(core.asarray, primals), tangents
    out = function(x1, x2)
    first = p.mul(t1, exp(p.sub(_finite_or_zero(x1), _finite_or_zero(out))))
    second = p.mul(t2, exp(p.sub(_finite_or_zero(x2), _finite_or_zero(out))))
    return out, p.add(first, second)


def _binary_log():
    """The two `custom_jvp` functions, under the names that equations show."""
    @core.custom_jvp
    def logaddexp(x1, x2):
        return _logaddexp(x1, x2, p.exp, None)

    @logaddexp.defjvp
    def _logaddexp_jvp(primals, tangents):
        return _logaddexp_tangent(logaddexp, p.exp, primals, tangents)

    @core.custom_jvp
    def logaddexp2(x1, x2):
        return _logaddexp(x1, x2, p.exp2, 1.4426950408889634)

    @logaddexp2.defjvp
    def _logaddexp2_jvp(primals, tangents):
        return _logaddexp_tangent(logaddexp2, p.exp2, primals, tangents)
    return logaddexp, logaddexp2


lax_logaddexp, lax_logaddexp2 = _binary_log()


def _sum_of_logs(name, function):
    from ._ufunc_class import ufunc

    def call(x1, x2, /):
        return function(*core.promote_inexact(name, x1, x2))
    call.__name__ = call.__qualname__ = name
    return ufunc(core.jit(call, inline=True), 2, 1, name=name, identity=float("-inf"))


@core.jit
def fmin(x1, x2):
    return where(apply("less", x1, x2) | isnan(x2), x1, x2)


@core.jit
def fmax(x1, x2):
    return where(apply("greater", x1, x2) | isnan(x2), x1, x2)


def _integers(name, x1, x2):
    x1, x2 = core.promote_dtypes(*core.arraylike(name, x1, x2))
    if not _low.is_kind(x1.dtype, "integer"):
        raise ValueError(f"Arguments to jax.numpy.{name} must be integers.")
    return _low.broadcast_arrays(x1, x2)


@core.jit
def gcd(x1, x2):
    from jax import lax
    x1, x2 = _integers("gcd", x1, x2)
    found, _ = lax.while_loop(_gcd_goes_on, _gcd_step, (apply("absolute", x1), apply("absolute", x2)))
    return found


def _gcd_goes_on(pair):
    from ._reductions import any
    return any(pair[1] != 0)


def _gcd_step(pair):
    x1, x2 = pair
    x1, x2 = where(x2 != 0, x2, x1), where(x2 != 0, p.rem(x1, x2), core.scalar_like(x2, 0))
    return where(x1 < x2, x2, x1), where(x1 < x2, x1, x2)


@core.jit
def lcm(x1, x2):
    x1, x2 = core.promote_dtypes(*core.arraylike("lcm", x1, x2))
    x1, x2 = apply("absolute", x1), apply("absolute", x2)
    if not _low.is_kind(x1.dtype, "integer"):
        raise ValueError("Arguments to jax.numpy.lcm must be integers.")
    divisor = gcd(x1, x2)
    return where(divisor == 0, core.scalar_like(divisor, 0),
                 apply("multiply", x1, floor_divide(x2, divisor)))


def __getattr__(name):
    if name == "logaddexp":
        made = _sum_of_logs(name, lax_logaddexp)
    elif name == "logaddexp2":
        made = _sum_of_logs(name, lax_logaddexp2)
    else:
        raise AttributeError(name)
    globals()[name] = made
    return made
