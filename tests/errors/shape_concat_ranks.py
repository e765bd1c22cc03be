import jax.numpy as jnp

history = jnp.zeros((10, 4))
latest = jnp.ones(4)
history = jnp.concatenate([history[1:], latest])
