import jax.numpy as jnp

x = jnp.arange(6)
picked = x[[0, 2, 4]]
