import jax.numpy as jnp

log_probs = jnp.ones((8, 10))
labels = jnp.zeros(8, jnp.int32)
picked = jnp.take_along_axis(log_probs, labels, axis=1)
