"""Discrete noise schedules."""
from __future__ import annotations

import dataclasses
from functools import partial

import jax
import jax.numpy as jnp


@partial(
    jax.tree_util.register_dataclass,
    data_fields=["betas", "alphas", "alpha_bars"],
    meta_fields=["name"],
)
@dataclasses.dataclass(frozen=True)
class NoiseSchedule:
    betas: jax.Array
    alphas: jax.Array
    alpha_bars: jax.Array
    name: str = "custom"

    @classmethod
    def from_betas(cls, betas: jax.Array, name: str) -> NoiseSchedule:
        alphas = 1.0 - betas
        return cls(betas, alphas, jnp.cumprod(alphas), name)

    @property
    def num_steps(self) -> int:
        return self.betas.shape[0]

    def coefficients(self, t: jax.Array, ndim: int) -> tuple[jax.Array, jax.Array]:
        """(signal, noise) levels at integer times t, with trailing axes to broadcast."""
        ab = self.alpha_bars[t]
        ab = jax.lax.expand_dims(ab, range(ab.ndim, ndim))
        return jnp.sqrt(ab), jnp.sqrt(1.0 - ab)

    def diffuse(self, x0: jax.Array, t: jax.Array, noise: jax.Array) -> jax.Array:
        a, s = self.coefficients(t, x0.ndim)
        return a * x0 + s * noise

    def velocity(self, x0: jax.Array, t: jax.Array, noise: jax.Array) -> jax.Array:
        a, s = self.coefficients(t, x0.ndim)
        return a * noise - s * x0

    def from_velocity(self, xt: jax.Array, v: jax.Array, t: jax.Array) -> tuple[jax.Array, jax.Array]:
        """Recover (x0, noise) from the predicted velocity."""
        a, s = self.coefficients(t, xt.ndim)
        return a * xt - s * v, s * xt + a * v

    def snr(self) -> jax.Array:
        return self.alpha_bars / (1.0 - self.alpha_bars)


def linear_schedule(num_steps: int, start: float = 1e-4, end: float = 0.05) -> NoiseSchedule:
    return NoiseSchedule.from_betas(jnp.linspace(start, end, num_steps, dtype=jnp.float32), "linear")


def cosine_schedule(num_steps: int, offset: float = 8e-3) -> NoiseSchedule:
    u = jnp.arange(num_steps + 1) / num_steps
    f = jnp.cos((u + offset) / (1 + offset) * jnp.pi / 2) ** 2
    betas = jnp.clip(1.0 - f[1:] / f[:-1], max=0.999)
    return NoiseSchedule.from_betas(betas, "cosine")
