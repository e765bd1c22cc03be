"""Donation is no part of the tracing key."""

import jax
import jax.numpy as jnp


def step(x):  # traced: 1
    return x + 1.0


plain = jax.jit(step)
donating = jax.jit(step, donate_argnums=0)
plain(jnp.ones(3))
donating(jnp.ones(3))
donating(jnp.ones(3))
