import jax.numpy as jnp

x = jnp.zeros((2, 2), dtype="flaot32")
