import jax
import jax.numpy as jnp


def first(x):
    return x[0]


first(jnp.arange(3))
jax.vmap(first)(jnp.arange(3))
