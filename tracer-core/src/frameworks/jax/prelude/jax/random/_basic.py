"""Uniform bits and numbers, normal ones, and what is one formula away from them."""
import math

from _jitlens import core, prims as p

from ._arguments import check_shape, float_dtype, optional_shape, single_key, to_rank
from ._keys import random_bits, split_typed


def bits(key, shape=(), dtype=None, *, out_sharding=None):
    key = single_key("bits", key)
    dtype = core.canonical_dtype("uint64") if dtype is None else core.user_dtype(dtype, None)
    if dtype.kind != "u":
        raise ValueError(f"dtype argument to `bits` must be an unsigned int dtype, got {dtype}")
    return random_bits(key, dtype.itemsize * 8, core.canonical_shape(shape))


# ----------------------------------------------------------------------------------------------------------- uniform

def uniform(key, shape=(), dtype=None, minval=0.0, maxval=1.0, *, out_sharding=None):
    key = single_key("uniform", key)
    dtype = core.user_dtype(float if dtype is None else dtype, None)
    shape = core.canonical_shape(shape)
    if core.dtype_kind(dtype) != "float":
        raise ValueError(f"dtype argument to `uniform` must be a float dtype, got {dtype}")
    return _uniform(key, minval, maxval, shape, dtype)


@core.jit(static_argnums=(3, 4))
def _uniform(key, minval, maxval, shape, dtype):
    minval, maxval = core.convert(minval, dtype), core.convert(maxval, dtype)
    minval, maxval = to_rank(minval, len(shape)), to_rank(maxval, len(shape))
    limits = core.finfo(dtype)
    width = limits.bits
    if width not in (8, 16, 32, 64):
        raise TypeError(f"uniform only accepts 8-, 16-, 32-, or 64-bit dtypesgot {dtype}.")
    drawn = 8 if limits.nmant < 8 else width
    word = core.numpy_dtype(f"uint{width}")
    found = random_bits(key, drawn, shape)
    if drawn != width:
        found = core.convert(found, word)
    # Random mantissas under the exponent of one, minus one.
    found = p.shift_right_logical(found, core.constant(drawn - limits.nmant, word))
    found = p.or_(found, core.one_bits(dtype))
    floats = p.bitcast_convert_type(found, new_dtype=dtype) - core.constant(1.0, dtype)
    return p.max(minval, _reshape(floats * (maxval - minval) + minval, shape))


def _reshape(x, shape):
    from ..lax._shapes import compiles
    compiles(x.shape, shape)
    return x if x.shape == shape and shape else p.reshape(x, new_sizes=shape, dimensions=None)


# ----------------------------------------------------------------------------------------------------------- randint

def randint(key, shape, minval, maxval, dtype=None, *, out_sharding=None):
    from .. import numpy as jnp
    key = single_key("randint", key)
    dtype = core.user_dtype(int if dtype is None else dtype, None)
    shape = core.canonical_shape(shape)
    if core.dtype_kind(dtype) != "int":
        raise TypeError(f"randint only accepts integer dtypes, got {dtype}")
    limits, sampled = core.iinfo(dtype), dtype
    if limits.bits < 32:
        sampled = core.INT32
        minval = jnp.asarray(minval).astype("int32").clip(int(limits.min), int(limits.max))
        maxval = jnp.asarray(maxval).astype("int32").clip(int(limits.min), int(limits.max) + 1)
    return _randint(key, minval, maxval, shape, sampled).astype(dtype)


@core.jit(static_argnums=(3, 4))
def _randint(key, minval, maxval, shape, dtype):
    from .. import numpy as jnp
    check_shape("randint", shape, core.shape(minval), core.shape(maxval))
    core.check_arraylike("randint", minval, maxval)
    minval, maxval = [_as_integer(jnp.asarray(x)) for x in (minval, maxval)]
    beyond = p.gt(maxval, _clip_integer(jnp.array(core.iinfo(dtype).max, dtype), maxval.dtype))
    minval, maxval = _clip_integer(minval, dtype), _clip_integer(maxval, dtype)
    minval, maxval = to_rank(minval, len(shape)), to_rank(maxval, len(shape))
    width = core.iinfo(dtype).bits
    if width not in (8, 16, 32, 64):
        raise TypeError(f"randint only accepts 8-, 16-, 32-, or 64-bit dtypes, got {dtype}")
    k1, k2 = split_typed(key)
    high, low = random_bits(k1, width, shape), random_bits(k2, width, shape)
    span = core.convert(maxval - minval, core.numpy_dtype(f"uint{width}"))
    # An empty range gives its lower end; one that ends past the type's maximum is one wider.
    span = p.select_n(maxval <= minval, span, core.full_like(span, 1))
    span = p.select_n(beyond & (maxval > minval), span, p.add(span, core.scalar_like(span, 1)))
    multiplier = p.rem(core.scalar_like(span, 2 ** (width // 2)), span)
    multiplier = p.rem(p.mul(multiplier, multiplier), span)
    offset = p.add(p.mul(p.rem(high, span), multiplier), p.rem(low, span))
    offset = p.rem(offset, span)
    return p.add(minval, core.convert(offset, dtype))


def _as_integer(x):
    return x if core.dtype_kind(x.dtype) == "int" else x.astype(int)


def _clip_integer(x, dtype):
    from .. import numpy as jnp
    given, wanted = core.iinfo(x.dtype), core.iinfo(dtype)
    low = core.scalar_like(x, max(wanted.min, given.min))
    high = core.scalar_like(x, min(wanted.max, given.max))
    return jnp.clip(x, low, high).astype(dtype)


# ------------------------------------------------------------------------------------------------------------ normal

def normal(key, shape=(), dtype=None, *, out_sharding=None):
    key = single_key("normal", key)
    shape = core.canonical_shape(shape)
    dtype = core.user_dtype(float if dtype is None else dtype, None)
    if core.dtype_kind(dtype) not in ("float", "complex"):
        raise ValueError(f"dtype argument to `normal` must be a float or complex dtype, got {dtype}")
    return _normal(key, shape, dtype)


@core.jit(static_argnums=(1, 2))
def _normal(key, shape, dtype):
    if core.dtype_kind(dtype) != "complex":
        return _normal_real(key, shape, dtype)
    real = core.numpy_dtype("float32" if dtype.itemsize == 8 else "float64")
    key_re, key_im = split_typed(key)
    re = _normal_real(key_re, shape, real).astype(dtype)
    im = _normal_real(key_im, shape, real).astype(dtype)
    return (re + 1j * im) / core.numpy_array(math.sqrt(2), dtype)


@core.jit(static_argnums=(1, 2))
def _normal_real(key, shape, dtype):
    u = uniform(key, shape, dtype, core.next_above(-1.0, dtype), core.numpy_array(1.0, dtype))
    return p.mul(core.constant(math.sqrt(2), dtype), p.erf_inv(u))


def truncated_normal(key, lower, upper, shape=None, dtype=None, *, out_sharding=None):
    shape = optional_shape(shape)
    key = single_key("truncated_normal", key)
    return _truncated_normal(key, lower, upper, shape, float_dtype("truncated_normal", dtype))


@core.jit(static_argnums=(3, 4))
def _truncated_normal(key, lower, upper, shape, dtype):
    from .. import numpy as jnp
    if shape is None:
        shape = core.broadcast_shapes(core.shape(lower), core.shape(upper))
    else:
        check_shape("truncated_normal", shape, core.shape(lower), core.shape(upper))
    sqrt2 = core.numpy_array(math.sqrt(2), dtype)
    lower, upper = core.convert(lower, dtype), core.convert(upper, dtype)
    u = uniform(key, shape, dtype, minval=p.erf(lower / sqrt2), maxval=p.erf(upper / sqrt2))
    out = sqrt2 * p.erf_inv(u)
    return jnp.clip(out, p.nextafter(core.stop_gradient(lower), core.constant(float("inf"), dtype)),
                    p.nextafter(core.stop_gradient(upper), core.constant(float("-inf"), dtype)))


# --------------------------------------------------------------------------------------------------------- coin flips

def bernoulli(key, p=0.5, shape=None, mode="low", *, out_sharding=None):
    shape = optional_shape(shape)
    if mode not in ("high", "low"):
        raise ValueError(f"got mode={mode!r}, expected 'high' or 'low'")
    key = single_key("bernoulli", key)
    dtype = core.dtype(p)
    if core.dtype_kind(dtype) != "float":
        raise TypeError(f"bernoulli probability `p` must have a floating dtype, got {dtype}.")
    return _bernoulli(key, core.convert(p, dtype), shape=shape, mode=mode)


@core.jit(static_argnames=("shape", "mode"))
def _bernoulli(key, p, shape, mode):
    if shape is None:
        shape = core.shape(p)
    else:
        check_shape("bernoulli", shape, core.shape(p))
    dtype = core.dtype(p)
    if mode == "high":
        u1, u2 = uniform(key, (2, *shape), dtype)
        u2 *= 2 ** -core.finfo(dtype).nmant
        return u2 < p - u1
    return uniform(key, shape, dtype) < p


def rademacher(key, shape=(), dtype=None, *, out_sharding=None):
    key = single_key("rademacher", key)
    dtype = core.user_dtype(int if dtype is None else dtype, None)
    return _rademacher(key, core.canonical_shape(shape), dtype)


@core.jit(static_argnums=(1, 2))
def _rademacher(key, shape, dtype):
    flips = bernoulli(key=key, p=0.5, shape=shape).astype(dtype)
    return (2 * flips - 1).astype(dtype)


# ----------------------------------------------------------------------------------------------------- inverse methods

def exponential(key, shape=(), dtype=None, *, out_sharding=None):
    key, dtype = single_key("exponential", key), float_dtype("exponential", dtype)
    return _exponential(key, core.canonical_shape(shape), dtype)


@core.jit(static_argnums=(1, 2))
def _exponential(key, shape, dtype):
    return p.neg(p.log1p(p.neg(uniform(key, shape, dtype))))


def cauchy(key, shape=(), dtype=None, *, out_sharding=None):
    key, dtype = single_key("cauchy", key), float_dtype("cauchy", dtype)
    return _cauchy(key, core.canonical_shape(shape), dtype)


@core.jit(static_argnums=(1, 2))
def _cauchy(key, shape, dtype):
    u = uniform(key, shape, dtype, minval=core.finfo(dtype).eps, maxval=1.0)
    return p.tan(p.mul(core.scalar_like(u, math.pi), p.sub(u, core.scalar_like(u, 0.5))))


def laplace(key, shape=(), dtype=None, *, out_sharding=None):
    key, dtype = single_key("laplace", key), float_dtype("laplace", dtype)
    return _laplace(key, core.canonical_shape(shape), dtype)


@core.jit(static_argnums=(1, 2))
def _laplace(key, shape, dtype):
    u = uniform(key, shape, dtype, minval=-1.0 + core.finfo(dtype).epsneg, maxval=1.0)
    return p.mul(p.sign(u), p.log1p(p.neg(p.abs(u))))


def logistic(key, shape=(), dtype=None, *, out_sharding=None):
    key, dtype = single_key("logistic", key), float_dtype("logistic", dtype)
    return _logistic(key, core.canonical_shape(shape), dtype)


@core.jit(static_argnums=(1, 2))
def _logistic(key, shape, dtype):
    x = uniform(key, shape, dtype, minval=core.finfo(dtype).tiny, maxval=1.0)
    return p.sub(p.log(x), p.log1p(p.neg(x)))


def gumbel(key, shape=(), dtype=None, mode=None, *, out_sharding=None):
    key, dtype = single_key("gumbel", key), float_dtype("gumbel", dtype)
    shape = core.canonical_shape(shape)
    if mode is None:
        mode = "high" if core.config_read("jax_high_dynamic_range_gumbel") else "low"
    if mode not in ("highest", "high", "low"):
        raise ValueError(f"Must provide valid mode for gumbel got: {mode}")
    return _gumbel(key, shape, dtype, mode)


@core.jit(static_argnums=(1, 2, 3))
def _gumbel(key, shape, dtype, mode):
    from .. import numpy as jnp
    limits = core.finfo(dtype)
    if mode == "highest" and dtype == core.FLOAT32:
        return _gumbel_highest(key, shape, dtype)
    if mode == "low":
        return -jnp.log(-jnp.log(_uniform(key, minval=limits.tiny, maxval=1.0, shape=shape, dtype=dtype)))
    high, low = _uniform(key, minval=0.0, maxval=1.0, shape=(2,) + shape, dtype=dtype)
    x = jnp.where(high >= 0.5, high, high + 2 ** -limits.nmant * low + limits.tiny)
    return -jnp.log(-jnp.log1p(-x))


def _gumbel_highest(key, shape, dtype):
    from .. import numpy as jnp
    word = random_bits(key, 32, (2,) + shape)
    neg = p.not_(word)
    low = neg[1]
    neg = neg + jnp.array([low == core.numpy_array(2 ** 32 - 1, core.UINT32), jnp.ones_like(low)], dtype="uint32")
    flipped = word[0] < core.numpy_array(2 ** 31, core.UINT32)
    x = _unit_float(jnp.where(flipped, word, neg))
    return jnp.where(flipped, -jnp.log(-jnp.log1p(-x)), -jnp.log(-jnp.log(x)))


def _unit_float(word):
    """A float32 in (0, 1) from two words of random bits, exact down to the smallest exponent."""
    from .. import numpy as jnp
    limits = core.finfo(core.FLOAT32)
    high_zeros, low_zeros = p.clz(word)
    high, low = word
    mantissa = p.or_(p.shift_left(high, high_zeros),
                     jnp.where(high_zeros == 32, p.shift_left(low, low_zeros), p.shift_right_logical(low, 32 - high_zeros)))
    mantissa = p.shift_right_logical(mantissa, core.constant(8, core.UINT32))
    mantissa = p.and_(mantissa, core.constant(2 ** 23 - 1, core.UINT32))
    exponent = p.shift_left(-limits.minexp - jnp.where(high_zeros == 32, 32 + low_zeros, high_zeros), core.constant(23, core.UINT32))
    exponent = p.and_(exponent, core.constant(2 ** 30 - 2 ** 22, core.UINT32))
    return p.or_(exponent, mantissa).view(core.FLOAT32)
