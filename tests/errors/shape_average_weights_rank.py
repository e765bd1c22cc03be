import jax.numpy as jnp

scores = jnp.ones((4, 3))
weights = jnp.array([0.1, 0.2, 0.3])
mean = jnp.average(scores, axis=0, weights=weights)
