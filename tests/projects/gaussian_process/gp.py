"""Exact and sparse Gaussian-process regression."""
from typing import NamedTuple, Tuple

import jax
import jax.numpy as jnp
import jax.scipy as jsp
from jax.scipy.linalg import cho_solve, solve_triangular

from kernels import Kernel

JITTER = 1e-8


class GP(NamedTuple):
    kernel: Kernel
    raw_noise: jax.Array
    mean: jax.Array

    @property
    def noise(self):
        return jax.nn.softplus(self.raw_noise)


class Posterior(NamedTuple):
    gp: GP
    x: jax.Array
    chol: jax.Array
    alpha: jax.Array


def _cholesky(gp: GP, x: jax.Array) -> jax.Array:
    n = x.shape[0]
    cov = gp.kernel(x) + (gp.noise**2 + JITTER) * jnp.eye(n)
    return jnp.linalg.cholesky(cov)


def log_marginal_likelihood(gp: GP, x: jax.Array, y: jax.Array) -> jax.Array:
    chol = _cholesky(gp, x)
    white = solve_triangular(chol, y - gp.mean, lower=True)
    logdet = jnp.sum(jnp.log(jnp.diag(chol)))
    return -0.5 * jnp.dot(white, white) - logdet - 0.5 * len(y) * jnp.log(2 * jnp.pi)


def condition(gp: GP, x: jax.Array, y: jax.Array) -> Posterior:
    chol = _cholesky(gp, x)
    return Posterior(gp, x, chol, cho_solve((chol, True), y - gp.mean))


def predict(post: Posterior, x_new: jax.Array, full_cov: bool = False) -> Tuple[jax.Array, jax.Array]:
    gp = post.gp
    k_star = gp.kernel(post.x, x_new)  # (n, m)
    mean = gp.mean + k_star.T @ post.alpha
    v = solve_triangular(post.chol, k_star, lower=True)
    if full_cov:
        return mean, gp.kernel(x_new) - v.T @ v
    return mean, gp.kernel.diag(x_new) - jnp.sum(v**2, axis=0)


def sample(key, post: Posterior, x_new: jax.Array, n: int) -> jax.Array:
    mean, cov = predict(post, x_new, full_cov=True)
    cov = 0.5 * (cov + cov.T) + 1e-6 * jnp.eye(cov.shape[0])
    return jax.random.multivariate_normal(key, mean, cov, shape=(n,))


def leave_one_out(post: Posterior, y: jax.Array) -> jax.Array:
    """Log predictive density of each observation given all the others."""
    k_inv = cho_solve((post.chol, True), jnp.eye(len(y), dtype=y.dtype))
    var = 1.0 / jnp.diagonal(k_inv)
    mu = y - post.alpha * var
    return jsp.stats.norm.logpdf(y, loc=mu, scale=jnp.sqrt(var))


def sparse_elbo(gp: GP, z: jax.Array, x: jax.Array, y: jax.Array) -> jax.Array:
    """Collapsed variational bound with inducing inputs z (m, d)."""
    m, n = z.shape[0], x.shape[0]
    sigma2 = gp.noise**2
    kmm = gp.kernel(z) + 1e-6 * jnp.eye(m)
    kmn = gp.kernel(z, x)
    L = jsp.linalg.cholesky(kmm, lower=True)
    A = solve_triangular(L, kmn, lower=True) / gp.noise
    B = jnp.eye(m) + A @ A.T
    LB = jnp.linalg.cholesky(B)
    resid = y - gp.mean
    c = solve_triangular(LB, A @ resid, lower=True) / gp.noise
    bound = -0.5 * n * jnp.log(2 * jnp.pi * sigma2)
    bound -= jnp.log(jnp.diag(LB)).sum()
    bound -= 0.5 * (resid @ resid / sigma2 - c @ c)
    bound -= 0.5 * (gp.kernel.diag(x).sum() / sigma2 - jnp.trace(A @ A.T))
    return bound
