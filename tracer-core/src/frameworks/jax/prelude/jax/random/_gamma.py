"""Gamma and what is made of it: beta, Dirichlet, Student's t, chi square, F."""
from _jitlens import core, prims as p

from ._arguments import broadcast_shape, check_castable, check_shape, float_dtype, optional_shape, single_key
from ._basic import normal
from ._keys import split_typed


def gamma(key, a, shape=None, dtype=None, *, out_sharding=None):
    key, dtype = single_key("gamma", key), float_dtype("gamma", dtype)
    return _gamma(key, a, shape=optional_shape(shape), dtype=dtype)


def loggamma(key, a, shape=None, dtype=None, *, out_sharding=None):
    key, dtype = single_key("loggamma", key), float_dtype("gamma", dtype)
    return _gamma(key, a, shape=optional_shape(shape), dtype=dtype, log_space=True)


@core.jit(static_argnames=("shape", "dtype", "log_space"))
def _gamma(key, a, shape, dtype, log_space=False):
    from .. import numpy as jnp
    if shape is None:
        shape = core.shape(a)
    else:
        check_shape("gamma", shape, core.shape(a))
    a = core.convert(a, dtype)
    if core.shape(a) != shape:
        a = jnp.broadcast_to(a, shape)
    return p.random_gamma(key, a, log_space=log_space)


def beta(key, a, b, shape=None, dtype=None, *, out_sharding=None):
    key, dtype = single_key("beta", key), float_dtype("beta", dtype)
    check_castable("beta", dtype, a, b)
    return _beta(key, a, b, broadcast_shape("beta", shape, a, b), dtype)


@core.jit(static_argnums=(3, 4))
def _beta(key, a, b, shape, dtype):
    from .. import numpy as jnp
    a, b = core.convert(a, dtype), core.convert(b, dtype)
    key_a, key_b = split_typed(key)
    a, b = jnp.broadcast_to(a, shape), jnp.broadcast_to(b, shape)
    log_a, log_b = loggamma(key_a, a, shape, dtype), loggamma(key_b, b, shape, dtype)
    largest = p.max(log_a, log_b)
    scaled_a, scaled_b = jnp.exp(log_a - largest), jnp.exp(log_b - largest)
    return scaled_a / (scaled_a + scaled_b)


def dirichlet(key, alpha, shape=None, dtype=None, *, out_sharding=None):
    key, dtype = single_key("dirichlet", key), float_dtype("dirichlet", dtype)
    return _dirichlet(key, alpha, optional_shape(shape), dtype)


@core.jit(static_argnums=(2, 3))
def _dirichlet(key, alpha, shape, dtype):
    from ..nn import softmax
    if core.ndim(alpha) < 1:
        raise ValueError(f"dirichlet requires alpha.ndim >= 1, got alpha.ndim == {core.ndim(alpha)}")
    batch, last = core.shape(alpha)[:-1], core.shape(alpha)[-1:]
    if shape is None:
        shape = batch
    else:
        check_shape("dirichlet", shape, batch)
    alpha = core.convert(alpha, dtype)
    return softmax(loggamma(key, alpha, shape + last, dtype), -1)


def t(key, df, shape=None, dtype=None, *, out_sharding=None):
    key, dtype = single_key("t", key), float_dtype("t", dtype)
    shape = broadcast_shape("t", shape, df)
    check_castable("t", dtype, df)
    return _t(key, df, shape, dtype)


@core.jit(static_argnums=(2, 3))
def _t(key, df, shape, dtype):
    from .. import numpy as jnp
    df = core.convert(df, dtype)
    key_n, key_g = split_typed(key)
    n = normal(key_n, shape, dtype)
    half = p.div(df, core.scalar_like(n, 2))
    return n * jnp.sqrt(half / gamma(key_g, half, shape, dtype))


def chisquare(key, df, shape=None, dtype=None, *, out_sharding=None):
    key, dtype = single_key("chisquare", key), float_dtype("chisquare", dtype)
    shape = broadcast_shape("chisquare", shape, df)
    check_castable("chisquare", dtype, df)
    return _chisquare(key, df, shape, dtype)


@core.jit(static_argnums=(2, 3))
def _chisquare(key, df, shape, dtype):
    from .. import numpy as jnp
    df = core.convert(df, dtype)
    two = core.scalar_like(df, 2)
    return p.mul(jnp.exp(loggamma(key, p.div(df, two), shape=shape, dtype=dtype)), two)


def f(key, dfnum, dfden, shape=None, dtype=None, *, out_sharding=None):
    key, dtype = single_key("f", key), float_dtype("f", dtype)
    shape = broadcast_shape("f", shape, dfnum, dfden)
    check_castable("f", dtype, dfnum, dfden)
    return _f(key, dfnum, dfden, shape, dtype)


@core.jit(static_argnums=(3, 4))
def _f(key, dfnum, dfden, shape, dtype):
    dfden, dfnum = core.convert(dfden, dtype), core.convert(dfnum, dtype)
    key_den, key_num = split_typed(key)
    num = chisquare(key_num, dfnum, shape, dtype)
    den = chisquare(key_den, dfden, shape, dtype)
    return p.div(p.div(num, dfnum), p.div(den, dfden))
