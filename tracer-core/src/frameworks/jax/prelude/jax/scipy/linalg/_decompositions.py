"""Decompositions of matrices."""
from _jitlens import core

from ... import numpy as jnp
from ...lax import linalg as lax_linalg


def _inexact(a):
    return core.promote_dtypes_inexact(jnp.asarray(a))[0]


def cholesky(a, lower=False, overwrite_a=False, check_finite=True):
    return _cholesky(a, lower)


@core.jit(static_argnames=("lower",))
def _cholesky(a, lower):
    a = _inexact(a)
    factor = lax_linalg.cholesky(a if lower else jnp.conj(a.mT), symmetrize_input=False)
    return factor if lower else jnp.conj(factor.mT)


def cho_factor(a, lower=False, overwrite_a=False, check_finite=True):
    return cholesky(a, lower=lower), lower


def svd(a, full_matrices=True, compute_uv=True, overwrite_a=False, check_finite=True, lapack_driver="gesdd"):
    return _svd(a, full_matrices=full_matrices, compute_uv=compute_uv)


@core.jit(static_argnames=("full_matrices", "compute_uv"))
def _svd(a, *, full_matrices, compute_uv):
    return lax_linalg.svd(_inexact(a), full_matrices=full_matrices, compute_uv=compute_uv)


def det(a, overwrite_a=False, check_finite=True):
    return jnp.linalg.det(a)


def inv(a, overwrite_a=False, check_finite=True):
    return jnp.linalg.inv(a)


def eigh(a, b=None, lower=True, eigvals_only=False, overwrite_a=False, overwrite_b=False, turbo=True, eigvals=None, type=1, check_finite=True):
    return _eigh(a, b, lower, eigvals_only, eigvals, type)


@core.jit(static_argnames=("lower", "eigvals_only", "eigvals", "type"))
def _eigh(a, b, lower, eigvals_only, eigvals, type):
    if b is not None:
        raise NotImplementedError("Only the b=None case of eigh is implemented")
    if type != 1:
        raise NotImplementedError("Only the type=1 case of eigh is implemented.")
    if eigvals is not None:
        raise NotImplementedError("Only the eigvals=None case of eigh is implemented.")
    v, w = lax_linalg.eigh(_inexact(a), lower=lower)
    return w if eigvals_only else (w, v)


def schur(a, output="real"):
    if output not in ("real", "complex"):
        raise ValueError(f"Expected 'output' to be either 'real' or 'complex', got output={output!r}.")
    return _schur(a, output)


@core.jit(static_argnames=("output",))
def _schur(a, output):
    if output == "complex":
        a = a.astype(core.to_complex_dtype(a.dtype))
    return lax_linalg.schur(a)


@core.jit(static_argnames=("overwrite_a", "check_finite"))
def lu_factor(a, overwrite_a=False, check_finite=True):
    factors, pivots, _ = lax_linalg.lu(_inexact(a))
    return factors, pivots


@core.jit(static_argnames=("permute_l", "overwrite_a", "check_finite"))
def lu(a, permute_l=False, overwrite_a=False, check_finite=True):
    return _lu(a, permute_l)


@core.jit(static_argnums=(1,))
def _lu(a, permute_l):
    a = _inexact(a)
    factors, _, permutation = lax_linalg.lu(a)
    m, n = a.shape
    p = jnp.real(jnp.array(permutation[None, :] == jnp.arange(m, dtype=permutation.dtype)[:, None], dtype=a.dtype))
    k = min(m, n)
    lower = jnp.tril(factors, -1)[:, :k] + jnp.eye(m, k, dtype=a.dtype)
    upper = jnp.triu(factors)[:k, :]
    if permute_l:
        return jnp.matmul(p, lower, precision=core.Precision.HIGHEST), upper
    return p, lower, upper


def qr(a, overwrite_a=False, lwork=None, mode="full", pivoting=False, check_finite=True):
    return _qr(a, mode, pivoting)


@core.jit(static_argnames=("mode", "pivoting"))
def _qr(a, mode, pivoting):
    if mode not in ("full", "r", "economic"):
        raise ValueError(f"Unsupported QR decomposition mode '{mode}'")
    q, r, *p = lax_linalg.qr(_inexact(a), pivoting=pivoting, full_matrices=mode != "economic")
    if mode == "r":
        return (r, p[0]) if pivoting else (r,)
    return (q, r, p[0]) if pivoting else (q, r)


@core.jit(static_argnames=("side",))
def _polar_svd(a, side):
    u, s, v = jnp.linalg.svd(jnp.asarray(a), full_matrices=False)
    s = s.astype(u.dtype)
    unitary = u @ v
    if side == "right":
        return unitary, (v.T.conj() * s[None, :]) @ v
    return unitary, (u * s[None, :]) @ u.T.conj()
