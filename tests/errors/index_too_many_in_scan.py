import jax
import jax.numpy as jnp


def step(carry, x):
    position = carry[0, 1]
    return carry + x, position


jax.lax.scan(step, jnp.zeros(2), jnp.ones((5, 2)))
