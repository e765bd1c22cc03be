import jax
import jax.numpy as jnp


def layer(x, name):
    return x * 2


jax.vmap(layer)(jnp.ones(3), "dense")
