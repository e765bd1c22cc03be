import jax.numpy as jnp

scores = jnp.arange(5.0)
best = jnp.argmax(scores, axis=-2)
