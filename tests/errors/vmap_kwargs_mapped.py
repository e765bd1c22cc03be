import jax
import jax.numpy as jnp


def shift(x, by=0.0):
    return x + by


jax.vmap(shift)(jnp.arange(3.0), by=jnp.float32(1.0))
