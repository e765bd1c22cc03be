import jax
import jax.numpy as jnp


def scale(x, factor):
    return x * factor


jax.vmap(scale)(jnp.arange(3.0), 2.0)
