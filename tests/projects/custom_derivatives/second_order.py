"""Hessians, Jacobians and optimisation that uses them."""
from typing import Callable, NamedTuple

import jax
import jax.numpy as jnp


def hvp(f: Callable, x, v):
    """Hessian-vector product, forward over reverse."""
    return jax.jvp(jax.grad(f), (x,), (v,))[1]


def hessian_diag(f: Callable, x):
    basis = jnp.eye(x.size, dtype=x.dtype)
    return jax.vmap(lambda e: jnp.vdot(e, hvp(f, x, e)))(basis)


def laplacian(f: Callable):
    def lap(x):
        return jnp.trace(jax.hessian(f)(x))

    return lap


def divergence(field: Callable):
    return lambda x: jnp.trace(jax.jacfwd(field)(x))


def curl(field: Callable):
    def _curl(x):
        j = jax.jacrev(field)(x)
        return jnp.array([j[2, 1] - j[1, 2], j[0, 2] - j[2, 0], j[1, 0] - j[0, 1]])

    return _curl


class NewtonResult(NamedTuple):
    x: jax.Array
    value: jax.Array
    grad_norm: jax.Array
    iterations: jax.Array


def newton(f: Callable, x0: jax.Array, damping: float = 1e-3, tol: float = 1e-5, max_iter: int = 30) -> NewtonResult:
    """Damped Newton with backtracking."""
    grad, hess = jax.grad(f), jax.hessian(f)
    eye = jnp.eye(x0.size)

    def cond(state):
        x, g, i = state
        return (jnp.linalg.norm(g) > tol) & (i < max_iter)

    def body(state):
        x, g, i = state
        direction = -jnp.linalg.solve(hess(x) + damping * eye, g)
        slope = jnp.minimum(g @ direction, 0.0)
        fx = f(x)

        def shrink(carry):
            t, _ = carry
            t = 0.5 * t
            return t, f(x + t * direction)

        too_long = lambda carry: (carry[1] > fx + 1e-4 * carry[0] * slope) & (carry[0] > 1e-6)
        t, _ = jax.lax.while_loop(too_long, shrink, (1.0, f(x + direction)))
        x = x + t * direction
        return x, grad(x), i + 1

    x, g, i = jax.lax.while_loop(cond, body, (x0, grad(x0), jnp.int32(0)))
    return NewtonResult(x, f(x), jnp.linalg.norm(g), i)


def gauss_newton(residual: Callable, x0: jax.Array, steps: int = 10, damping: float = 1e-2):
    """Levenberg-Marquardt with a fixed number of steps, and the history of the losses."""

    def step(carry, _):
        x, lam = carry
        r, jac = residual(x), jax.jacfwd(residual)(x)
        delta = jnp.linalg.solve(jac.T @ jac + lam * jnp.eye(x.size), jac.T @ r)
        candidate = x - delta
        better = jnp.sum(residual(candidate) ** 2) < jnp.sum(r**2)
        x = jax.lax.select(better, candidate, x)
        lam = jnp.where(better, lam * 0.3, lam * 5.0)
        return (x, lam), jnp.sum(r**2)

    (x, _), losses = jax.lax.scan(step, (x0, jnp.asarray(damping)), length=steps)
    return x, losses


def fisher_vector_product(log_prob: Callable, params, v, batch):
    """(1/n) sum of (score . v) score over the batch, for any pytree of parameters."""

    def score_dot(example):
        return jax.jvp(lambda p: log_prob(p, example), (params,), (v,))[1]

    def weighted(p):
        weights = jax.lax.stop_gradient(jax.vmap(score_dot)(batch))
        return jnp.mean(weights * jax.vmap(log_prob, in_axes=(None, 0))(p, batch))

    return jax.grad(weighted)(params)
