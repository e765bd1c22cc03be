"""Linear Gaussian state-space models."""
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy.linalg import cho_factor, cho_solve
from jax.scipy.stats import multivariate_normal as mvn


class LGParams(NamedTuple):
    A: jnp.ndarray  # (d, d)
    Q: jnp.ndarray  # (d, d)
    C: jnp.ndarray  # (p, d)
    R: jnp.ndarray  # (p, p)
    m0: jnp.ndarray  # (d,)
    P0: jnp.ndarray  # (d, d)


class Filtered(NamedTuple):
    mean: jnp.ndarray
    cov: jnp.ndarray
    loglik: jnp.ndarray


def constant_velocity(dt=0.1, process=0.5, noise=0.3):
    """A point moving in the plane, of which only the position is seen."""
    eye, zero = jnp.eye(2), jnp.zeros((2, 2))
    A = jnp.block([[eye, dt * eye], [zero, eye]])
    q = jnp.array([[dt**3 / 3, dt**2 / 2], [dt**2 / 2, dt]])
    return LGParams(
        A=A,
        Q=process * jnp.kron(q, eye),
        C=jnp.eye(2, 4),
        R=noise**2 * eye,
        m0=jnp.array([0.0, 0.0, 1.0, 0.5]),
        P0=0.1 * jnp.eye(4),
    )


@dataclass(eq=False)
class KalmanFilter:
    """Hashed by identity, so that `self` may be a static argument."""

    params: LGParams
    jitter: float = 1e-6
    dim: int = field(init=False)

    def __post_init__(self):
        self.dim = self.params.A.shape[0]

    @partial(jax.jit, static_argnums=(0, 2))
    def simulate(self, key, num_steps):
        p = self.params
        k0, kq, kr = jax.random.split(key, 3)
        x0 = jax.random.multivariate_normal(k0, p.m0, p.P0)
        q_noise = jax.random.multivariate_normal(kq, jnp.zeros(self.dim), p.Q + self.jitter * jnp.eye(self.dim),
                                                 shape=(num_steps,))
        r_noise = jax.random.multivariate_normal(kr, jnp.zeros(p.R.shape[0]), p.R, (num_steps,))

        def step(x, noises):
            q, r = noises
            x = p.A @ x + q
            return x, (x, p.C @ x + r)

        _, (states, obs) = lax.scan(step, x0, (q_noise, r_noise))
        return states, obs

    def _predict(self, mean, cov):
        p = self.params
        return p.A @ mean, p.A @ cov @ p.A.T + p.Q

    def _update(self, mean, cov, y):
        p = self.params
        S = p.C @ cov @ p.C.T + p.R
        factor = cho_factor(S, lower=True)
        gain = cho_solve(factor, p.C @ cov).T
        innovation = y - p.C @ mean
        new_cov = cov - gain @ p.C @ cov
        return mean + gain @ innovation, 0.5 * (new_cov + new_cov.T), mvn.logpdf(innovation, jnp.zeros_like(y), S)

    @partial(jax.jit, static_argnums=0)
    def filter(self, ys, mask=None):
        """ys (T, p); where mask is False the observation is missing."""
        if mask is None:
            mask = jnp.ones(ys.shape[0], bool)

        def step(carry, inputs):
            y, observed = inputs
            mean, cov = self._predict(*carry)
            upd = self._update(mean, cov, y)
            mean, cov, ll = jax.tree.map(lambda a, b: jnp.where(observed, a, b), upd, (mean, cov, 0.0))
            return (mean, cov), Filtered(mean, cov, ll)

        _, out = lax.scan(step, (self.params.m0, self.params.P0), (ys, mask))
        return out

    @partial(jax.jit, static_argnums=0)
    def smooth(self, filtered: Filtered):
        """Rauch-Tung-Striebel backward pass."""

        def step(carry, inputs):
            mean_s, cov_s = carry
            mean_f, cov_f = inputs
            mean_p, cov_p = self._predict(mean_f, cov_f)
            gain = jnp.linalg.solve(cov_p, self.params.A @ cov_f).T
            mean = mean_f + gain @ (mean_s - mean_p)
            cov = cov_f + gain @ (cov_s - cov_p) @ gain.T
            return (mean, cov), (mean, cov)

        last = (filtered.mean[-1], filtered.cov[-1])
        _, (means, covs) = lax.scan(step, last, (filtered.mean[:-1], filtered.cov[:-1]), reverse=True)
        return jnp.concatenate([means, last[0][None]]), jnp.concatenate([covs, last[1][None]])


def parallel_affine(As, bs):
    """x_t = A_t x_{t-1} + b_t for all t in logarithmic depth, from x_0 = 0."""

    def combine(left, right):
        A1, b1 = left
        A2, b2 = right
        return A2 @ A1, jnp.einsum("...ij,...j->...i", A2, b1) + b2

    _, xs = lax.associative_scan(combine, (As, bs))
    return xs
