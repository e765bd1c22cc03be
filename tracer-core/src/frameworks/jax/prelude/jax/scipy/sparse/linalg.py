"""`jax.scipy.sparse.linalg`: iterative solvers of linear systems given as functions."""
import functools
import operator

from _jitlens import core

from ... import numpy as jnp
from ..._devices import device_put
from ...lax import custom_linear_solve, while_loop
from ...tree_util import Partial, tree_leaves, tree_map, tree_structure

_HIGHEST = core.Precision.HIGHEST


def __getattr__(name):
    if name == "gmres":
        from ._gmres import gmres
        return gmres
    raise AttributeError(f"module 'jax.scipy.sparse.linalg' has no attribute {name!r}")


def _real_product(x, y):
    found = jnp.vdot(x.real, y.real, precision=_HIGHEST)
    if jnp.iscomplexobj(x) or jnp.iscomplexobj(y):
        found += jnp.vdot(x.imag, y.imag, precision=_HIGHEST)
    return found


def _real_dot(x, y):
    return sum(tree_leaves(tree_map(_real_product, x, y)))


def _dot(x, y):
    return sum(tree_leaves(tree_map(functools.partial(jnp.vdot, precision=_HIGHEST), x, y)))


def _add(x, y):
    return tree_map(operator.add, x, y)


def _sub(x, y):
    return tree_map(operator.sub, x, y)


def _mul(scalar, x):
    return tree_map(functools.partial(operator.mul, scalar), x)


@Partial
def _identity(x):
    return x


def _operator(f):
    if callable(f):
        return f
    if core.is_array(f) or core.is_numpy_array(f):
        if f.ndim != 2 or f.shape[0] != f.shape[1]:
            raise ValueError(f"linear operator must be a square matrix, but has shape: {f.shape}")
        return functools.partial(functools.partial(jnp.dot, precision=_HIGHEST), f)
    if hasattr(f, "__matmul__"):
        return functools.partial(operator.matmul, f)
    raise TypeError(f"linear operator must be either a function or ndarray: {f}")


def _threshold(b, tol, atol):
    return jnp.maximum(jnp.square(tol) * _real_dot(b, b), jnp.square(atol))


def _cg(A, b, x0=None, *, maxiter, tol=1e-5, atol=0.0, M=_identity):
    limit = _threshold(b, tol, atol)

    def cond_fun(value):
        _, r, gamma, _, k = value
        rs = gamma.real if M is _identity else _real_dot(r, r)
        return (rs > limit) & (k < maxiter)

    def body_fun(value):
        x, r, gamma, p, k = value
        Ap = A(p)
        alpha = gamma / _real_dot(p, Ap).astype(dtype)
        x = _add(x, _mul(alpha, p))
        r = _sub(r, _mul(alpha, Ap))
        z = M(r)
        gamma_next = _real_dot(r, z).astype(dtype)
        p = _add(z, _mul(gamma_next / gamma, p))
        return x, r, gamma_next, p, k + 1

    r0 = _sub(b, A(x0))
    p0 = z0 = M(r0)
    dtype = core.result_type(*tree_leaves(p0))
    gamma0 = _real_dot(r0, z0).astype(dtype)
    return while_loop(cond_fun, body_fun, (x0, r0, gamma0, p0, 0))[0]


def _bicgstab(A, b, x0=None, *, maxiter, tol=1e-5, atol=0.0, M=_identity):
    limit = _threshold(b, tol, atol)

    def cond_fun(value):
        _, r, *_, k = value
        rs = _real_dot(r, r)
        return (rs > limit) & (k < maxiter) & (k >= 0)

    def body_fun(value):
        x, r, rhat, alpha, omega, rho, p, q, k = value
        rho_next = _dot(rhat, r)
        beta = rho_next / rho * alpha / omega
        p = _add(r, _mul(beta, _sub(p, _mul(omega, q))))
        phat = M(p)
        q = A(phat)
        alpha = rho_next / _dot(rhat, q)
        s = _sub(r, _mul(alpha, q))
        early = _real_dot(s, s) < limit
        shat = M(s)
        t = A(shat)
        omega = _dot(t, s) / _dot(t, t)
        choose = functools.partial(jnp.where, early)
        x = tree_map(choose, _add(x, _mul(alpha, phat)), _add(x, _add(_mul(alpha, phat), _mul(omega, shat))))
        r = tree_map(choose, s, _sub(s, _mul(omega, t)))
        k = jnp.where((omega == 0) | (alpha == 0), -11, k + 1)
        return x, r, rhat, alpha, omega, rho_next, p, q, jnp.where(rho_next == 0, -10, k)

    r0 = _sub(b, A(x0))
    one = core.convert(1, *core.result_type(*tree_leaves(b), return_weak=True))
    return while_loop(cond_fun, body_fun, (x0, r0, r0, one, one, one, r0, r0, 0))[0]


def _solve(method, A, b, x0, tol, atol, maxiter, M, check_symmetric):
    if x0 is None:
        x0 = tree_map(jnp.zeros_like, b)
    b, x0 = device_put((b, x0))
    if maxiter is None:
        maxiter = 10 * sum([leaf.size for leaf in tree_leaves(b)])
    A, M = _operator(A), _operator(_identity if M is None else M)
    if tree_structure(x0) != tree_structure(b):
        raise ValueError(f"x0 and b must have matching tree structure: {tree_structure(x0)} vs {tree_structure(b)}")
    shapes = [[core.shape(leaf) for leaf in tree_leaves(t)] for t in (x0, b)]
    if shapes[0] != shapes[1]:
        raise ValueError(f"arrays in x0 and b must have matching shapes: {shapes[0]} vs {shapes[1]}")
    solve = functools.partial(method, x0=x0, tol=tol, atol=atol, maxiter=maxiter, M=M)
    symmetric = check_symmetric and all([core.dtype_kind(leaf.dtype) != "complex" for leaf in tree_leaves(b)])
    return custom_linear_solve(A, b, solve=solve, transpose_solve=solve, symmetric=symmetric), None


def cg(A, b, x0=None, *, tol=1e-5, atol=0.0, maxiter=None, M=None):
    return _solve(_cg, A, b, x0, tol, atol, maxiter, M, True)


def bicgstab(A, b, x0=None, *, tol=1e-5, atol=0.0, maxiter=None, M=None):
    return _solve(_bicgstab, A, b, x0, tol, atol, maxiter, M, False)
