import jax.numpy as jnp
from jax import lax

def max_pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2), (1, 2, 2), "VALID")

max_pool(jnp.ones((2, 8, 8, 3)))
