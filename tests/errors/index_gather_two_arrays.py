import jax.numpy as jnp

x = jnp.arange(12).reshape(3, 4)
rows = jnp.array([0, 1, 2])
columns = jnp.array([1, 3])
x[rows, columns]
