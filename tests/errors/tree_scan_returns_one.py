import jax
import jax.numpy as jnp


def cumulative(total, x):
    total = total + x
    return total


jax.lax.scan(cumulative, 0.0, jnp.arange(4.0))
