import jax.numpy as jnp

table = jnp.arange(10)
middle = table[len(table) / 2]
