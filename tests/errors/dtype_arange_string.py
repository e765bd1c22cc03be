import jax.numpy as jnp

n = input_size = "10"
positions = jnp.arange(n)
