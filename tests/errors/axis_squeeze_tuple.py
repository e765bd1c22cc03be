import jax.numpy as jnp

x = jnp.ones((1, 3, 1))
jnp.squeeze(x, axis=(0, 1))
