"""Multivariate normal, random matrices and the less common distributions."""
from _jitlens import core, prims as p

from ._arguments import broadcast_shape, check_castable, check_shape, float_dtype, optional_shape, single_key
from ._basic import exponential, normal, rademacher, uniform
from ._gamma import gamma
from ._keys import split, split_typed


def multivariate_normal(key, mean, cov, shape=None, dtype=None, method="cholesky", *, out_sharding=None):
    key = single_key("multivariate_normal", key)
    mean, cov = core.promote_dtypes_inexact(mean, cov)
    if method not in ("svd", "eigh", "cholesky"):
        raise ValueError("method must be one of {'svd', 'eigh', 'cholesky'}")
    dtype = mean.dtype if dtype is None else core.user_dtype(dtype, None)
    if core.dtype_kind(dtype) != "float":
        raise ValueError(f"dtype argument to `multivariate_normal` must be a float dtype, got {dtype}")
    return _multivariate_normal(key, mean, cov, optional_shape(shape), dtype, method)


@core.jit(static_argnums=(3, 4, 5))
def _multivariate_normal(key, mean, cov, shape, dtype, method):
    from .. import numpy as jnp
    from ..numpy import linalg
    if mean.ndim < 1:
        raise ValueError(f"multivariate_normal requires mean.ndim >= 1, got mean.ndim == {mean.ndim}")
    if cov.ndim < 2:
        raise ValueError(f"multivariate_normal requires cov.ndim >= 2, got cov.ndim == {cov.ndim}")
    n = mean.shape[-1]
    if cov.shape[-2:] != (n, n):
        raise ValueError(f"multivariate_normal requires cov.shape == (..., n, n) for n={n}, but got cov.shape == {cov.shape}.")
    if shape is None:
        shape = core.broadcast_shapes(mean.shape[:-1], cov.shape[:-2])
    else:
        check_shape("normal", shape, mean.shape[:-1], cov.shape[:-2])
    if method == "svd":
        u, s, _ = linalg.svd(cov)
        factor = u * jnp.sqrt(s[..., None, :])
    elif method == "eigh":
        w, v = linalg.eigh(cov)
        factor = v * jnp.sqrt(w[..., None, :])
    else:
        factor = linalg.cholesky(cov)
    samples = normal(key, shape + mean.shape[-1:], dtype)
    with core.config_context("jax_numpy_rank_promotion", "allow"):
        return mean + jnp.einsum("...ij,...j->...i", factor, samples)


def orthogonal(key, n, shape=(), dtype=None, m=None, *, out_sharding=None):
    m = n if m is None else m
    shape = core.canonical_shape(shape)
    key = single_key("orthogonal", key)
    dtype = core.user_dtype(float if dtype is None else dtype, None)
    n = core.concrete_index(n, "The error occurred in jax.random.orthogonal()")
    m = core.concrete_index(m, "The error occurred in jax.random.orthogonal()")
    return _orthogonal(key, n, m, shape, dtype)


@core.jit(static_argnums=(1, 2, 3, 4))
def _orthogonal(key, n, _m, shape, dtype):
    from .. import numpy as jnp
    from ..numpy import linalg
    z = normal(key, (*shape, max(n, _m), min(n, _m)), dtype)
    q, r = linalg.qr(z)
    d = linalg.diagonal(r)
    x = q * jnp.expand_dims(jnp.sign(d), -2)
    return x.mT if n < _m else x


def generalized_normal(key, p, shape=(), dtype=None, *, out_sharding=None):
    shape = core.canonical_shape(shape)
    key = single_key("generalized_normal", key)
    return _generalized_normal(key, p, shape, core.user_dtype(float if dtype is None else dtype, None))


@core.jit(static_argnums=(2, 3))
def _generalized_normal(key, p, shape, dtype):
    keys = split(key)
    g = gamma(keys[0], 1 / p, shape, dtype)
    return rademacher(keys[1], shape, dtype) * g ** (1 / p)


def ball(key, d, p=2, shape=(), dtype=None, *, out_sharding=None):
    shape = core.canonical_shape(shape)
    key = single_key("ball", key)
    dtype = core.user_dtype(float if dtype is None else dtype, None)
    d = core.concrete_index(d, "The error occurred in jax.random.ball()")
    return _ball(key, p, d, shape, dtype)


@core.jit(static_argnums=(2, 3, 4))
def _ball(key, p, d, shape, dtype):
    from .. import numpy as jnp
    k1, k2 = split(key)
    g = generalized_normal(k1, p, (*shape, d), dtype)
    e = exponential(k2, shape, dtype)
    return g / (((jnp.abs(g) ** p).sum(-1) + e) ** (1 / p))[..., None]


def maxwell(key, shape=(), dtype=None, *, out_sharding=None):
    key, dtype = single_key("maxwell", key), float_dtype("maxwell", dtype)
    return _maxwell(key, core.canonical_shape(shape), dtype)


@core.jit(static_argnums=(1, 2))
def _maxwell(key, shape, dtype):
    from ..numpy import linalg
    return linalg.norm(normal(key=key, shape=shape + (3,), dtype=dtype), axis=-1)


def double_sided_maxwell(key, loc, scale, shape=(), dtype=None):
    key, dtype = single_key("double_sided_maxwell", key), float_dtype("double_sided_maxwell", dtype)
    return _double_sided_maxwell(key, loc, scale, core.canonical_shape(shape), dtype)


@core.jit(static_argnums=(3, 4))
def _double_sided_maxwell(key, loc, scale, shape, dtype):
    parameters = core.broadcast_shapes(core.shape(loc), core.shape(scale))
    shape = (shape or parameters) + parameters
    maxwell_key, sign_key = split_typed(key)
    size = maxwell(maxwell_key, shape=shape, dtype=dtype)
    return rademacher(sign_key, shape=shape, dtype=dtype) * size * scale + loc


def weibull_min(key, scale, concentration, shape=(), dtype=None):
    key, dtype = single_key("weibull_min", key), float_dtype("weibull_min", dtype)
    return _weibull_min(key, scale, concentration, core.canonical_shape(shape), dtype)


@core.jit(static_argnums=(3, 4))
def _weibull_min(key, scale, concentration, shape, dtype):
    from .. import numpy as jnp
    u = uniform(key=key, shape=shape, minval=0, maxval=1, dtype=dtype)
    return jnp.power(-jnp.log1p(-u), 1.0 / concentration) * scale


def pareto(key, b, shape=None, dtype=None, *, out_sharding=None):
    key, dtype = single_key("pareto", key), float_dtype("pareto", dtype)
    shape = broadcast_shape("pareto", shape, b)
    check_castable("pareto", dtype, b)
    return _pareto(key, b, shape, dtype)


@core.jit(static_argnums=(2, 3))
def _pareto(key, b, shape, dtype):
    b = core.convert(b, dtype)
    return p.exp(exponential(key, shape, dtype) / b)


def rayleigh(key, scale, shape=None, dtype=None, *, out_sharding=None):
    key, dtype = single_key("rayleigh", key), float_dtype("rayleigh", dtype)
    shape = broadcast_shape("rayleigh", shape, scale)
    check_castable("rayleigh", dtype, scale)
    return _rayleigh(key, scale, shape, dtype)


@core.jit(static_argnums=(2, 3))
def _rayleigh(key, scale, shape, dtype):
    from .. import numpy as jnp
    u = uniform(key, shape, dtype)
    scale = jnp.broadcast_to(scale.astype(dtype), shape)
    return p.mul(scale, p.sqrt(p.mul(p.log(u), core.scalar_like(scale, -2))))


def wald(key, mean, shape=None, dtype=None, *, out_sharding=None):
    key, dtype = single_key("wald", key), float_dtype("wald", dtype)
    shape = broadcast_shape("wald", shape, mean)
    check_castable("wald", dtype, mean)
    return _wald(key, mean, shape, dtype)


@core.jit(static_argnums=(2, 3))
def _wald(key, mean, shape, dtype):
    from .. import numpy as jnp
    k1, k2 = split_typed(key, 2)
    mean = jnp.broadcast_to(mean.astype(dtype), shape)
    v = normal(k1, shape, dtype)
    z = uniform(k2, shape, dtype)
    y = p.integer_pow(v, y=2)
    y_square = p.integer_pow(y, y=2)
    square = p.integer_pow(mean, y=2)
    root = p.sqrt(4 * mean * y + square * y_square)
    x = mean + square * y / 2 - mean / 2 * root
    return p.select_n(p.le(z, mean / (mean + x)), square / x, x)


def triangular(key, left, mode, right, shape=None, dtype=None, *, out_sharding=None):
    key, dtype = single_key("triangular", key), float_dtype("triangular", dtype)
    shape = broadcast_shape("triangular", shape, left, mode, right)
    check_castable("triangular", dtype, left, mode, right)
    return _triangular(key, left, mode, right, shape, dtype)


@core.jit(static_argnums=(4, 5), inline=True)
def _triangular(key, left, mode, right, shape, dtype):
    from .. import numpy as jnp
    left = jnp.broadcast_to(core.convert(left, dtype), shape)
    right = jnp.broadcast_to(core.convert(right, dtype), shape)
    mode = jnp.broadcast_to(core.convert(mode, dtype), shape)
    fc = (mode - left) / (right - left)
    u = uniform(key, shape, dtype)
    rising = left + p.sqrt(u * (right - left) * (mode - left))
    falling = right - p.sqrt((1 - u) * (right - left) * (right - mode))
    return p.select_n(u < fc, falling, rising)


def lognormal(key, sigma=None, shape=None, dtype=None, *, out_sharding=None):
    sigma = core.numpy_array(1, core.FLOAT32)[()] if sigma is None else sigma
    key = single_key("lognormal", key)
    dtype = core.user_dtype(float if dtype is None else dtype, None)
    if core.dtype_kind(dtype) not in ("float", "complex"):
        raise ValueError(f"dtype argument to `lognormal` must be a float or complex dtype, got {dtype}")
    shape = broadcast_shape("lognormal", shape, sigma)
    check_castable("lognormal", dtype, sigma)
    return _lognormal(key, sigma, shape, dtype)


@core.jit(static_argnums=(2, 3), inline=True)
def _lognormal(key, sigma, shape, dtype):
    sigma = core.convert(sigma, dtype)
    return p.exp(normal(key, shape, dtype) * sigma)
