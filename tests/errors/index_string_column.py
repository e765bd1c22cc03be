import jax.numpy as jnp

table = jnp.ones((3, 2))
ages = table["age"]
