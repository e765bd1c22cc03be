import jax.numpy as jnp

q, k, v = jnp.split(jnp.ones((4, 6)), 2, axis=-1)
