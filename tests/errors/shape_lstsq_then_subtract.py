import jax.numpy as jnp

a = jnp.ones((10, 3))
b = jnp.ones((10, 2))
solution, residuals, rank, values = jnp.linalg.lstsq(a, b)
error = a @ solution - b[:, 0]
