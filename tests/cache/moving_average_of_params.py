"""A moving average that starts as a copy."""

import jax
import jax.numpy as jnp


@jax.jit
def average(mean, params, decay):  # traced: 3
    return jax.tree.map(lambda m, p: decay * m + (1 - decay) * p, mean, params)


params = {"w": jnp.ones(2), "b": 0.0}
mean = params
for i in range(3):
    mean = average(mean, params, 0.9)
mean = average(mean, params, jnp.float32(0.9))
mean = average(mean, {"w": jnp.ones(2), "b": jnp.float32(0)}, 0.9)
