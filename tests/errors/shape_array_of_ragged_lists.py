import jax.numpy as jnp

batch = jnp.array([[1, 2, 3], [4, 5]])
