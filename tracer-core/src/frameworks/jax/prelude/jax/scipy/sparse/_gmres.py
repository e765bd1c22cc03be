"""The generalized minimal residual method, restarted."""
import functools

from _jitlens import core

from ... import numpy as jnp
from ...flatten_util import ravel_pytree
from ..._devices import device_put
from ...lax import custom_linear_solve, fori_loop, while_loop
from ...tree_util import tree_leaves, tree_map, tree_structure
from . import linalg

_HIGHEST = core.Precision.HIGHEST


def gmres(A, b, x0=None, *, tol=1e-5, atol=0.0, restart=20, maxiter=None, M=None, solve_method="batched"):
    if x0 is None:
        x0 = tree_map(jnp.zeros_like, b)
    if M is None:
        M = linalg._identity
    A, M = linalg._operator(A), linalg._operator(M)
    b, x0 = device_put((b, x0))
    size = sum([leaf.size for leaf in tree_leaves(b)])
    if maxiter is None:
        maxiter = 10 * size
    restart = min(restart, size)
    if tree_structure(x0) != tree_structure(b):
        raise ValueError(f"x0 and b must have matching tree structure: {tree_structure(x0)} vs {tree_structure(b)}")
    if solve_method not in ("incremental", "batched"):
        raise ValueError(f"invalid solve_method {solve_method}, must be either 'incremental' or 'batched'")

    def solve(A, b):
        return _solve(A, b, x0, tol, atol, restart, maxiter, M)

    x = custom_linear_solve(A, b, solve=solve, transpose_solve=solve)
    failed = jnp.isnan(sum([jnp.sum(jnp.abs(leaf)) for leaf in tree_leaves(x)]))
    return x, jnp.where(failed, -1, 0)


def _solve(A, b, x0, tol, atol, restart, maxiter, M):
    flat_b, back = ravel_pytree(b)
    flat_x, _ = ravel_pytree(x0)

    def apply(f, x):
        return ravel_pytree(f(back(x)))[0].astype(flat_b.dtype)

    limit = jnp.maximum(tol * jnp.linalg.norm(flat_b), atol)

    def residual(x):
        r = apply(M, flat_b - apply(A, x))
        return r, jnp.linalg.norm(r)

    preconditioned = jnp.linalg.norm(apply(M, flat_b))
    limit = limit * jnp.where(preconditioned == 0, 1.0, preconditioned / jnp.where(flat_b.size == 0, 1.0, jnp.linalg.norm(flat_b)))

    def going(state):
        _, k, _, norm = state
        return (k < maxiter) & (norm > limit)

    def step(state):
        x, k, r, norm = state
        basis = jnp.zeros((flat_b.size, restart + 1), flat_b.dtype).at[:, 0].set(r / norm.astype(flat_b.dtype))
        hessenberg = jnp.eye(restart, restart + 1, dtype=flat_b.dtype)

        def arnoldi(i, state):
            basis, hessenberg = state
            v = apply(M, apply(A, basis[:, i]))
            start = jnp.linalg.norm(v)
            h = jnp.zeros(restart + 1, v.dtype)
            for _ in range(2):
                part = jnp.matmul(jnp.conj(basis.T), v, precision=_HIGHEST)
                v, h = v - jnp.matmul(basis, part, precision=_HIGHEST), h + part
            rest = jnp.linalg.norm(v)
            ended = rest <= core.finfo(v.dtype).eps * start
            v = jnp.where(ended, 0, v / jnp.where(ended, 1, rest).astype(v.dtype))
            h = h.at[i + 1].set(jnp.where(ended, 0, rest).astype(v.dtype))
            return basis.at[:, i + 1].set(v), hessenberg.at[i].set(h)

        basis, hessenberg = fori_loop(0, restart, arnoldi, (basis, hessenberg))
        target = jnp.zeros(restart + 1, flat_b.dtype).at[0].set(norm.astype(flat_b.dtype))
        weights = jnp.linalg.lstsq(hessenberg.T, target)[0]
        x = x + jnp.matmul(basis[:, :-1], weights, precision=_HIGHEST)
        r, norm = residual(x)
        return x, k + 1, r, norm

    r, norm = residual(flat_x)
    return back(while_loop(going, step, (flat_x, 0, r, norm))[0])
