import jax.numpy as jnp

scores = jnp.ones(5)
scores[0, 1]
