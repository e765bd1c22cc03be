"""Discrete distributions: geometric, Poisson, binomial, multinomial."""
from _jitlens import core, prims as p

from ..lax._loops import scan, while_loop
from ._arguments import broadcast_shape, check_shape, float_dtype, optional_shape, single_key
from ._basic import uniform
from ._keys import split, split_typed


def _select(mask, yes, no):
    return p.select_n(mask, no, yes)


def geometric(key, p, shape=None, dtype=None, *, out_sharding=None):
    key = single_key("geometric", key)
    dtype = core.user_dtype(int if dtype is None else dtype, None)
    if core.dtype_kind(dtype) != "int":
        raise ValueError(f"dtype argument to `geometric` must be an int dtype, got {dtype}")
    return _geometric(key, p, broadcast_shape("geometric", shape, p), dtype)


@core.jit(static_argnums=(2, 3))
def _geometric(key, prob, shape, dtype):
    from .. import numpy as jnp
    core.check_arraylike("geometric", prob)
    prob = core.promote_dtypes_inexact(prob)[0]
    u = uniform(key, shape, prob.dtype)
    u = jnp.where(u == 0, 1, u)
    log_u = p.log(u)
    log_fail = jnp.broadcast_to(p.log1p(-prob), shape)
    return (p.floor(p.div(log_u, log_fail)) + 1).astype(dtype)


# ----------------------------------------------------------------------------------------------------------- Poisson

def poisson(key, lam, shape=None, dtype=None, *, out_sharding=None):
    from .. import numpy as jnp
    key = single_key("poisson", key)
    dtype = core.user_dtype(int if dtype is None else dtype, None)
    impl = core.key_impl_of(key.dtype)
    if impl.name != "threefry2x32":
        raise NotImplementedError(f"`poisson` is only implemented for the threefry2x32 RNG, not {impl}")
    shape = core.shape(lam) if shape is None else core.canonical_shape(shape)
    lam = core.convert(jnp.broadcast_to(lam, shape), core.FLOAT32)
    return _poisson(key, lam, shape, dtype)


@core.jit(static_argnums=(2, 3))
def _poisson(key, lam, shape, dtype):
    from .. import numpy as jnp
    small = p.ne(lam, lam) | (lam < 10)
    lam_small = _select(small, lam, core.full_like(lam, 0.0))
    lam_large = _select(small, core.full_like(lam, 1e5), lam)
    rounds = dtype.type(core.iinfo(dtype).max)
    found = _select(small, _poisson_knuth(key, lam_small, shape, dtype, rounds), _poisson_rejection(key, lam_large, shape, dtype, rounds))
    return _select(lam == 0, jnp.zeros_like(found), found)


@core.jit(static_argnums=(2, 3, 4))
def _poisson_knuth(key, lam, shape, dtype, max_iters):
    # Counts factors until the product of uniforms falls below exp(-lam).
    from .. import numpy as jnp

    def body_fn(carry):
        i, k, rng, log_prod = carry
        rng, subkey = split_typed(rng)
        k = _select(log_prod > -lam, k + 1, k)
        u = uniform(subkey, shape, core.FLOAT32)
        return i + 1, k, rng, log_prod + jnp.log(u)

    def cond_fn(carry):
        i, log_prod = carry[0], carry[3]
        return (log_prod > -lam).any() & (i < max_iters)

    start = (0, core.full_like(lam, 0, dtype, shape), key, core.full_like(lam, 0, core.FLOAT32, shape))
    return (while_loop(cond_fn, body_fn, start)[1] - 1).astype(dtype)


@core.jit(static_argnums=(2, 3, 4))
def _poisson_rejection(key, lam, shape, dtype, max_iters):
    # Hörmann's transformed rejection, for large rates.
    log_lam = p.log(lam)
    b = 0.931 + 2.53 * p.sqrt(lam)
    a = -0.059 + 0.02483 * b
    inv_alpha = 1.1239 + 1.1328 / (b - 3.4)
    v_r = 0.9277 - 3.6224 / (b - 2)

    def body_fn(carry):
        i, k_out, accepted, key = carry
        key, key_u, key_v = split_typed(key, 3)
        u = uniform(key_u, shape, lam.dtype) - 0.5
        v = uniform(key_v, shape, lam.dtype)
        u_shifted = 0.5 - abs(u)
        k = p.floor((2 * a / u_shifted + b) * u + lam + 0.43)
        s = p.log(v * inv_alpha / (a / (u_shifted * u_shifted) + b))
        t = -lam + k * log_lam - p.lgamma(k + 1)
        quick = (u_shifted >= 0.07) & (v <= v_r)
        reject = (k < 0) | (u_shifted < 0.013) & (v > u_shifted)
        late = s <= t
        accept = quick | ~reject & late
        k_out = _select(accept, k, k_out)
        accepted |= accept
        return i + 1, k_out, accepted, key

    def cond_fn(carry):
        i, k_out, accepted, key = carry
        return (~accepted).any() & (i < max_iters)

    start = (0, core.full_like(lam, -1, lam.dtype, shape), core.full_like(lam, False, core.BOOL, shape), key)
    return while_loop(cond_fn, body_fn, start)[1].astype(dtype)


# ---------------------------------------------------------------------------------------------------------- binomial

def binomial(key, n, p, shape=None, dtype=None):
    key = single_key("binomial", key)
    core.check_arraylike("binomial", n, p)
    dtype = float_dtype("binomial", dtype)
    return _binomial(key, n, p, optional_shape(shape), dtype)


@core.jit(static_argnums=(3, 4), inline=True)
def _binomial(key, count, prob, shape, dtype):
    from .. import numpy as jnp
    if shape is None:
        shape = core.broadcast_shapes(core.shape(count), core.shape(prob))
    else:
        check_shape("binomial", shape, core.shape(count), core.shape(prob))
    prob = core.promote_dtypes_inexact(prob)[0]
    count = jnp.broadcast_to(core.convert(count, prob.dtype), shape)
    prob = jnp.broadcast_to(prob, shape)
    below_half = prob < 0.5
    q = _select(below_half, prob, 1.0 - prob)
    bad_count = p.ne(count, count) | (count < 0.0)
    infinite = jnp.isinf(count)
    q_nan, q_negative = p.ne(q, q), q < 0.0
    q = _select(q_nan | q_negative, core.full_like(q, 0.01), q)
    invert = bad_count | (count * q <= 10.0)
    count = jnp.floor(count)
    count_invert = _select(invert, count, core.full_like(count, 0.0))
    count_reject = _select(invert, core.full_like(count, 1e4), count)
    q_reject = _select(invert, core.full_like(q, 0.5), q)
    rounds = dtype.type(core.finfo(dtype).max)
    found = _select(invert, _binomial_inversion(key, count_invert, q, shape, dtype, rounds),
                    _btrs(key, count_reject, q_reject, shape, dtype, rounds))
    invalid = q_negative | q_nan | bad_count
    found = _select(invalid, jnp.full_like(found, float("nan"), dtype), found)
    found = _select(infinite & ~invalid, jnp.full_like(found, float("inf"), dtype), found)
    return _select(below_half | bad_count | q_nan | infinite, found, count.astype(dtype) - found)


@core.jit(static_argnums=(3, 4, 5), inline=True)
def _binomial_inversion(key, count, prob, shape, dtype, max_iters):
    # Sums geometric waiting times until they pass the count.
    from .. import numpy as jnp
    log_fail = jnp.log1p(-prob)

    def body_fn(carry):
        i, waits, total, key = carry
        subkey, key = split(key)
        waits_out = _select(total <= count, waits + 1, waits)
        u = uniform(subkey, shape, prob.dtype)
        total = total + jnp.ceil(jnp.log(u) / log_fail)
        return i + 1, waits_out, total, key

    def cond_fn(carry):
        i, total = carry[0], carry[2]
        return (total <= count).any() & (i < max_iters)

    start = (0, core.full_like(prob, 0, prob.dtype, shape), core.full_like(prob, 0, prob.dtype, shape), key)
    return (while_loop(cond_fn, body_fn, start)[1] - 1).astype(dtype)


@core.jit(static_argnums=(3, 4, 5), inline=True)
def _btrs(key, count, prob, shape, dtype, max_iters):
    # Hörmann's transformed rejection with squeeze.
    from .. import numpy as jnp
    stddev = jnp.sqrt(count * prob * (1 - prob))
    b = 1.15 + 2.53 * stddev
    a = -0.0873 + 0.0248 * b + 0.01 * prob
    c = count * prob + 0.5
    v_r = 0.92 - 4.2 / b
    r = prob / (1 - prob)
    alpha = (2.83 + 5.1 / b) * stddev
    m = jnp.floor((count + 1) * prob)

    def body_fn(carry):
        i, k_out, accepted, key = carry
        key, key_u, key_v = split(key, 3)
        u = uniform(key_u, shape, prob.dtype)
        v = uniform(key_v, shape, prob.dtype)
        u = u - 0.5
        us = 0.5 - jnp.abs(u)
        quick = (us >= 0.07) & (v <= v_r)
        k = jnp.floor((2 * a / us + b) * u + c)
        reject = (k < 0) | (k > count)
        v = jnp.log(v * alpha / (a / (us * us) + b))
        bound = ((m + 0.5) * jnp.log((m + 1) / (r * (count - m + 1))) + (count + 1) * jnp.log((count - m + 1) / (count - k + 1))
                 + (k + 0.5) * jnp.log(r * (count - k + 1) / (k + 1)) + _stirling_tail(m) + _stirling_tail(count - m) - _stirling_tail(k)
                 - _stirling_tail(count - k))
        late = v <= bound
        accept = quick | ~reject & late
        k_out = _select(accept, k, k_out)
        accepted |= accept
        return i + 1, k_out, accepted, key

    def cond_fn(carry):
        i, accepted = carry[0], carry[2]
        return (~accepted).any() & (i < max_iters)

    start = (0, core.full_like(prob, -1, prob.dtype, shape), jnp.full(shape, False, bool), key)
    return while_loop(cond_fn, body_fn, start)[1].astype(dtype)


# log(k!) minus Stirling's approximation, for k = 0 … 9.
_STIRLING_TAIL = [0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509, 0.0166446911898211, 0.0138761288230707,
                  0.0118967099458917, 0.010411265261972, 0.00925546218271273, 0.00833056343336287]


def _stirling_tail(k):
    from .. import numpy as jnp
    table = jnp.array(_STIRLING_TAIL, dtype=k.dtype)
    small = k <= 9
    k = p.clamp(core.scalar_like(k, 0.0), k, core.scalar_like(k, 9.0))
    square = (k + 1) * (k + 1)
    approx = (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1)
    k = jnp.floor(k)
    return _select(small, table[jnp.asarray(k, dtype="int32")], approx)


def multinomial(key, n, p, *, shape=None, dtype=None, unroll=1):
    from .. import numpy as jnp
    from ..lax._reductions import cumsum
    key = single_key("multinomial", key)
    core.check_arraylike("multinomial", n, p)
    n, probs = core.promote_dtypes_inexact(n, p)
    if shape is None:
        shape = probs.shape
    n = jnp.broadcast_to(n, shape[:-1])
    probs = jnp.broadcast_to(probs, shape)

    def f(remainder, ratio_key):
        ratio, key = ratio_key
        count = binomial(key, remainder, ratio.clip(0, 1), dtype=remainder.dtype)
        return remainder - count, count

    probs = jnp.moveaxis(probs, -1, 0)
    remaining = cumsum(probs, 0, reverse=True)
    ratios = probs / jnp.where(remaining == 0, 1, remaining)
    keys = split(key, ratios.shape[0])
    _, counts = scan(f, n, (ratios, keys), unroll=unroll)
    return jnp.moveaxis(counts, 0, -1).astype(dtype)
