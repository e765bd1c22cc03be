import jax.numpy as jnp

edges = jnp.ones((2, 5))
bins = jnp.searchsorted(edges, jnp.array([0.5, 1.5]))
