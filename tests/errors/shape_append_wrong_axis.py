import jax.numpy as jnp

table = jnp.zeros((4, 3))
row = jnp.ones(3)
table = jnp.append(table, row, axis=0)
