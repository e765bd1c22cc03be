import jax.numpy as jnp

queries = jnp.ones((3, 8))
keys = jnp.ones((8, 5))
scores = jnp.inner(queries, keys)
