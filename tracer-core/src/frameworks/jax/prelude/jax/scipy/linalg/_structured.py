"""Matrices that a few numbers make up."""
import math

from _jitlens import core, prims as p

from ... import numpy as jnp
from ...lax import linalg as lax_linalg


def circulant(c):
    core.check_arraylike("circulant", c)
    c = jnp.atleast_1d(jnp.asarray(c))
    places = jnp.arange(c.shape[-1])
    return c[..., (places[:, None] - places[None, :]) % max(c.shape[-1], 1)]


def companion(a):
    [a] = core.promote_dtypes_inexact(_array("companion", a))
    n = a.shape[-1] if a.ndim else 0
    if n < 2:
        raise ValueError("The length of `a` along the last axis must be at least 2.")
    first = -a[..., 1:] / a[..., :1]
    made = jnp.zeros(a.shape[:-1] + (n - 1, n - 1), first.dtype).at[..., 0, :].set(first)
    return made.at[..., jnp.arange(1, n - 1), jnp.arange(n - 2)].set(1)


def _array(name, a):
    core.check_arraylike(name, a)
    return jnp.asarray(a)


@core.jit(static_argnames=("n", "mode"))
def convolution_matrix(a, n, mode="full"):
    a = _array("convolution_matrix", a)
    n = core.index(n)
    if n <= 0:
        raise ValueError("n must be a positive integer.")
    if a.ndim == 0 or a.shape[-1] == 0:
        raise ValueError("len(a) must be at least 1.")
    if mode not in ("full", "valid", "same"):
        raise ValueError("'mode' argument must be one of ('full', 'valid', 'same')")
    m = a.shape[-1]
    places = jnp.arange(m + n - 1)[:, None] - jnp.arange(n)[None, :]
    made = jnp.where((places >= 0) & (places < m), a[..., jnp.clip(places, 0, m - 1)], 0)
    trim = min(m, n) - 1
    before = {"full": 0, "same": trim // 2, "valid": trim}[mode]
    after = {"full": 0, "same": trim - trim // 2, "valid": trim}[mode]
    return made[..., before:m + n - 1 - after, :].astype(a.dtype)


def fiedler(a):
    a = _array("fiedler", a)
    if a.ndim == 0:
        a = jnp.atleast_1d(a)
    return jnp.abs(a[..., :, None] - a[..., None, :])


def hankel(c, r=None):
    c = _array("hankel", c)
    r = jnp.zeros_like(c) if r is None else _array("hankel", r)
    if c.ndim == 0 or r.ndim == 0:
        raise ValueError("c and r must be at least one-dimensional.")
    batch = jnp.broadcast_shapes(c.shape[:-1], r.shape[:-1])
    c, r = [jnp.broadcast_to(x, (*batch, x.shape[-1])) for x in (c, r)]
    values = jnp.concatenate([c, r[..., 1:]], axis=-1)
    return values[..., jnp.arange(c.shape[-1])[:, None] + jnp.arange(r.shape[-1])[None, :]]


def leslie(f, s):
    f, s = core.promote_dtypes(_array("leslie", f), _array("leslie", s))
    if f.ndim == 0 or s.ndim == 0 or f.shape[-1] != s.shape[-1] + 1 or f.shape[-1] < 2:
        raise ValueError("The length of f must be one more than that of s, and at least 2.")
    n = f.shape[-1]
    batch = jnp.broadcast_shapes(f.shape[:-1], s.shape[:-1])
    made = jnp.zeros(batch + (n, n), f.dtype).at[..., 0, :].set(f)
    return made.at[..., jnp.arange(1, n), jnp.arange(n - 1)].set(s)


@core.jit(static_argnames=("n", "scale", "dtype"))
def dft(n, scale=None, *, dtype=None):
    if scale not in (None, "sqrtn", "n"):
        raise ValueError(f"scale must be None, 'sqrtn', or 'n'; {scale!r} is not valid.")
    dtype = core.canonical_dtype(complex if dtype is None else dtype)
    if core.dtype_kind(dtype) != "complex":
        raise ValueError(f"dtype must be complex, got {dtype}")
    places = jnp.arange(int(n) if isinstance(n, bool) else n)
    made = jnp.exp(-2j * math.pi * places / n)[:, None] ** places[None, :]
    return (made if scale is None else made / (math.sqrt(n) if scale == "sqrtn" else n)).astype(dtype)


@core.jit(static_argnames=("n", "dtype"))
def hadamard(n, dtype=int):
    if n != int(n):
        raise ValueError(f"n must be a positive power of 2; got {n}.")
    n = core.index(n)
    if n < 1 or n & (n - 1):
        raise ValueError("n must be a positive power of 2.")
    made = jnp.ones((1, 1), dtype=float if dtype is None else dtype)
    while made.shape[0] < n:
        made = jnp.block([[made, made], [made, -made]])
    return made


@core.jit(static_argnames=("n", "full"))
def helmert(n, full=False):
    if isinstance(n, bool):
        raise TypeError("iota does not accept dtype bool. Accepted dtypes are subtypes of integer, floating, complexfloating.")
    if n <= 0:
        raise ValueError("n must be a positive integer.")
    if full and isinstance(n, float):
        raise TypeError(f"Shapes must be 1D sequences of concrete values of integer type, got (1, {n}).")
    n = math.ceil(n)
    return _rounded("helmert", n if full else n - 1, n)


@core.jit(static_argnames=("n",))
def invhilbert(n):
    n = max(math.ceil(n) if isinstance(n, float) else core.index(n), 0)
    return _rounded("invhilbert", n, n)


@core.jit(static_argnames=("n", "kind"))
def pascal(n, kind=None):
    _check_kind(kind, "on")
    counts = jnp.arange(n, dtype="float32")
    lower = _binom(counts[:, None], counts[None, :])
    if kind == "lower":
        return lower
    return lower.T if kind == "upper" else jnp.dot(lower, lower.T)


@core.jit(static_argnames=("n", "kind"))
def invpascal(n, kind=None):
    _check_kind(kind, "one")
    counts = jnp.arange(n, dtype=core.canonical_dtype(float))
    i, j = counts[:, None], counts[None, :]
    lower = (-1.0) ** (i - j) * _binom(i, j)
    if kind == "lower":
        return lower
    return lower.T if kind == "upper" else jnp.dot(lower.T, lower)


def _check_kind(kind, one):
    known = ["symmetric", "lower", "upper"]
    if kind is not None and kind not in known:
        raise ValueError(f"Expected kind to be {one} of: {known}; got {kind}")


@core.jit
def _binom(n, k):
    return p.exp(p.lgamma(n + 1.0) - p.lgamma(n - k + 1.0) - p.lgamma(k + 1.0))


def _rounded(name, rows, columns):
    """A matrix whose numbers depend on how they are rounded on the way: they are not known."""
    [made] = core.opaque_call(name, [], [core.ShapedArray((rows, columns), core.canonical_dtype(float))])
    return made


@core.jit(static_argnames=("calc_q", "overwrite_a", "check_finite"))
def hessenberg(a, *, calc_q=False, overwrite_a=False, check_finite=True):
    n = core.shape(a)[-1] if core.ndim(a) else 0
    [a] = core.promote_dtypes_inexact(jnp.asarray(a))
    if n == 0:
        return (a, a) if calc_q else a
    packed, taus = lax_linalg.hessenberg(a)
    h = jnp.triu(packed, k=-1)
    if not calc_q:
        return h
    q = lax_linalg.householder_product(packed[..., 1:, :-1], taus)
    whole = jnp.broadcast_to(jnp.eye(n, dtype=a.dtype), a.shape)
    return h, whole.at[..., 1:, 1:].set(q)
