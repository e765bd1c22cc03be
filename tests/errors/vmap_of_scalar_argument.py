import jax
import jax.numpy as jnp


def scale(x, factor):
    return x * factor


jax.vmap(scale)(jnp.ones((5, 2)), 3.0)
