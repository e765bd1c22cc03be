import jax.numpy as jnp

table = jnp.ones((10, 4))
jnp.take(table, jnp.array([1.0, 2.0]), axis=0)
