"""Determinants, by formula for small matrices and by LU for others."""
from collections import namedtuple

from _jitlens import core, prims as p

from .. import _low
from .._creation import arange, array, asarray, diagonal, trace, zeros_like
from .._elementwise import real
from .._reductions import any, count_nonzero, prod, sum
from .._ufuncs import apply
from ._decompositions import inexact

where = _low.where

SlogdetResult = namedtuple("SlogdetResult", ("sign", "logabsdet"))


def _sign_and_log(value):
    magnitude = abs(value)
    return apply("sign", value), real(apply("log", magnitude))


def _small_det(a):
    if a.shape[-1] == 1:
        return a[..., 0, 0]
    a00, a01 = a[..., 0, 0], a[..., 0, 1]
    a10, a11 = a[..., 1, 0], a[..., 1, 1]
    return a00 * a11 - a01 * a10


@core.custom_jvp
def _slogdet_small(a):
    return _sign_and_log(_small_det(a))


def _slogdet_small_jvp(primals, tangents):
    (x,), (g,) = primals, tangents
    sign, logdet = _slogdet_small(x)
    if x.shape[-1] == 1:
        change = g[..., 0, 0] / x[..., 0, 0]
    else:
        x00, x01 = x[..., 0, 0], x[..., 0, 1]
        x10, x11 = x[..., 1, 0], x[..., 1, 1]
        det = x00 * x11 - x01 * x10
        change = (g[..., 0, 0] * x11 - g[..., 0, 1] * x10 - g[..., 1, 0] * x01 + g[..., 1, 1] * x00) / det
    return (sign, logdet), _slogdet_tangent(x, sign, change)


def _slogdet_tangent(x, sign, change):
    if x.dtype.kind != "c":
        return zeros_like(sign), change
    return (change - real(change).astype(change.dtype)) * sign, real(change)


_slogdet_small.defjvp(_slogdet_small_jvp)


def _parity(pivots, size):
    places = arange(size, dtype=pivots.dtype)
    places = _low.expand_dims(places, tuple(range(pivots.ndim - 1)))
    return count_nonzero(pivots != places, axis=-1)


@core.custom_jvp
def _slogdet_lu(a):
    dtype = a.dtype
    lu, pivots, _ = p.lu(a)
    diag = diagonal(lu, axis1=-2, axis2=-1)
    singular = any(diag == array(0, dtype=dtype), axis=-1)
    parity = _parity(pivots, a.shape[-1])
    if dtype.kind == "c":
        sign = prod(diag / abs(diag).astype(diag.dtype), axis=-1)
    else:
        sign = array(1, dtype=dtype)
        parity = parity + count_nonzero(diag < 0, axis=-1)
    sign = where(singular, array(0, dtype=dtype), sign * array(-2 * (parity % 2) + 1, dtype=dtype))
    logs = sum(apply("log", abs(diag)).astype(dtype), axis=-1)
    return sign, real(where(singular, array(float("-inf"), dtype=dtype), logs))


@core.custom_jvp
def _slogdet_qr(a):
    if a.dtype.kind == "c":
        raise NotImplementedError("slogdet method='qr' not implemented for complex inputs")
    size = a.shape[-1]
    packed, taus = p.geqrf(a)
    diag = diagonal(packed, axis1=-2, axis2=-1)
    logdet = sum(apply("log", abs(diag)), axis=-1)
    sign = prod(apply("sign", diag), axis=-1)
    flips = prod(where(taus[..., :size - 1] != 0, -1, 1), axis=-1).astype(sign.dtype)
    return sign * flips, logdet


def _slogdet_jvp(primals, tangents):
    from ._solving import solve
    (x,), (g,) = primals, tangents
    sign, logdet = slogdet(x)
    return (sign, logdet), _slogdet_tangent(x, sign, trace(solve(x, g), axis1=-1, axis2=-2))


_slogdet_lu.defjvp(_slogdet_jvp)
_slogdet_qr.defjvp(_slogdet_jvp)


@core.jit(static_argnames=("method",))
def slogdet(a, *, method=None):
    a = inexact("slogdet", a)
    shape = a.shape
    if len(shape) < 2 or shape[-1] != shape[-2]:
        raise ValueError(f"Argument to slogdet() must have shape [..., n, n], got {shape}")
    if method is None or method == "lu":
        return SlogdetResult(*(_slogdet_small(a) if shape[-1] in (1, 2) else _slogdet_lu(a)))
    if method == "qr":
        return SlogdetResult(*_slogdet_qr(a))
    raise ValueError(f"Unknown slogdet method '{method}'. Supported methods are 'lu' (`None`), and 'qr'.")


def _det_3x3(a):
    return (a[..., 0, 0] * a[..., 1, 1] * a[..., 2, 2] + a[..., 0, 1] * a[..., 1, 2] * a[..., 2, 0]
            + a[..., 0, 2] * a[..., 1, 0] * a[..., 2, 1] - a[..., 0, 2] * a[..., 1, 1] * a[..., 2, 0]
            - a[..., 0, 0] * a[..., 1, 2] * a[..., 2, 1] - a[..., 0, 1] * a[..., 1, 0] * a[..., 2, 2])


@core.custom_jvp
def _det(a):
    sign, logdet = slogdet(a)
    return sign * apply("exp", logdet).astype(sign.dtype)


@_det.defjvp
def _det_jvp(primals, tangents):
    (x,), (g,) = primals, tangents
    value, cofactors = _cofactor_solve(x, g)
    return value, trace(cofactors, axis1=-1, axis2=-2)


def _cofactor_solve(a, b):
    """(det a, det(a) a⁻¹ b), right also where `a` is singular of rank n - 1."""
    from jax import lax
    from .._creation import ones
    from .._elementwise import isinf, isnan
    from .._index import ix_
    from .._join import concatenate
    from .._manipulate import broadcast_to, tile
    from .._nan_reductions import cumprod
    a, = core.promote_dtypes_inexact(a)
    b, = core.promote_dtypes_inexact(b)
    size = a.shape[-1]
    if size == 1:
        return a[..., 0, 0], b
    lu, pivots, permutation = p.lu(a)
    batch = core.broadcast_shapes(lu.shape[:-2], b.shape[:-2])
    x = broadcast_to(b, batch + b.shape[-2:])
    lu = broadcast_to(lu, batch + lu.shape[-2:])
    diag = diagonal(lu, axis1=-2, axis2=-1)
    sign = asarray(-2 * (_parity(pivots, size) % 2) + 1, dtype=a.dtype)
    partial = cumprod(diag, axis=-1) * sign[..., None]
    lu = lu.at[..., -1, -1].set(1.0 / partial[..., -2])
    permutation = broadcast_to(permutation, (*batch, size))
    grid = ix_(*(_low.iota(core.canonical_dtype("int32"), n) for n in (*batch, 1)))
    probe = lax.linalg.triangular_solve(lu, ones(x.shape[:-1], x.dtype), left_side=True, lower=False)
    broken = any(apply("logical_or", isnan(probe), isinf(probe)), axis=-1)
    broken = tile(broken[..., None, None], broken.ndim * (1,) + x.shape[-2:])
    x = where(broken, zeros_like(x), x)
    x = x[grid[:-1] + (permutation, slice(None))]
    x = lax.linalg.triangular_solve(lu, x, left_side=True, lower=True, unit_diagonal=True)
    x = concatenate((x[..., :-1, :] * partial[..., -1, None, None], x[..., -1:, :]), axis=-2)
    x = lax.linalg.triangular_solve(lu, x, left_side=True, lower=False)
    return partial[..., -1], where(broken, zeros_like(x), x)


@core.jit
def det(a):
    a = inexact("det", a)
    shape = a.shape
    if len(shape) >= 2 and shape[-2:] == (2, 2):
        return a[..., 0, 0] * a[..., 1, 1] - a[..., 0, 1] * a[..., 1, 0]
    if len(shape) >= 2 and shape[-2:] == (3, 3):
        return _det_3x3(a)
    if len(shape) >= 2 and shape[-1] == shape[-2]:
        return _det(a)
    raise ValueError(f"Argument to _det() must have shape [..., n, n], got {shape}")
