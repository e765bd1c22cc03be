"""Ancestral and deterministic samplers."""
from typing import Callable, Optional

import jax
import jax.numpy as jnp
from jax import lax

from .schedule import NoiseSchedule

# denoiser(x, t) -> predicted velocity
Denoiser = Callable[[jax.Array, jax.Array], jax.Array]


def ddpm_sample(denoiser: Denoiser, schedule: NoiseSchedule, key: jax.Array, shape, clip: Optional[float] = None):
    """Ancestral sampling, from the last time to the first."""
    init_key, loop_key = jax.random.split(key)
    x = jax.random.normal(init_key, shape)
    batch = shape[0]

    def body(i, x):
        t = schedule.num_steps - 1 - i
        tb = jnp.full((batch,), t)
        x0, _ = schedule.from_velocity(x, denoiser(x, tb), tb)
        if clip is not None:
            x0 = jnp.clip(x0, -clip, clip)
        ab = schedule.alpha_bars[t]
        ab_prev = jnp.where(t > 0, schedule.alpha_bars[t - 1], 1.0)
        beta, alpha = schedule.betas[t], schedule.alphas[t]
        mean = (jnp.sqrt(ab_prev) * beta * x0 + jnp.sqrt(alpha) * (1 - ab_prev) * x) / (1 - ab)
        var = beta * (1 - ab_prev) / (1 - ab)
        noise = jax.random.normal(jax.random.fold_in(loop_key, i), shape)
        return mean + jnp.sqrt(var) * noise

    return lax.fori_loop(0, schedule.num_steps, body, x)


def ddim_sample(denoiser: Denoiser, schedule: NoiseSchedule, key: jax.Array, shape, num_steps: int = 10,
                eta: float = 0.0, return_path: bool = False):
    """Deterministic for eta = 0. With return_path also the predicted x0 of every step."""
    init_key, noise_key = jax.random.split(key)
    ts = jnp.linspace(schedule.num_steps - 1, 0, num_steps).round().astype(jnp.int32)
    pairs = jnp.stack([ts, jnp.append(ts[1:], -1)], axis=1)

    def body(x, inputs):
        (t, t_prev), k = inputs
        tb = jnp.broadcast_to(t, shape[:1])
        x0, noise = schedule.from_velocity(x, denoiser(x, tb), tb)
        ab = schedule.alpha_bars[t]
        ab_prev = lax.select(t_prev >= 0, schedule.alpha_bars[t_prev], jnp.ones_like(ab))
        sigma = eta * jnp.sqrt((1 - ab_prev) / (1 - ab) * (1 - ab / ab_prev))
        direction = jnp.sqrt(jnp.maximum(1 - ab_prev - sigma**2, 0.0)) * noise
        x = jnp.sqrt(ab_prev) * x0 + direction + sigma * jax.random.normal(k, shape)
        return x, x0 if return_path else None

    x, path = lax.scan(body, jax.random.normal(init_key, shape), (pairs, jax.random.split(noise_key, num_steps)))
    return (x, path) if return_path else x
