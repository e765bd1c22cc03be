"""A learning rate that decays: a Python float, then an array."""

import jax
import jax.numpy as jnp


@jax.jit
def update(params, rate):  # traced: 2
    return jax.tree.map(lambda p: p - rate, params)


params = {"w": jnp.ones(2)}
for rate in (0.1, 0.01, jnp.float32(0.001), jnp.asarray(0.0001)):
    params = update(params, rate)
