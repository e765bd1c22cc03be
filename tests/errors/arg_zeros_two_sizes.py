import jax.numpy as jnp

buffer = jnp.zeros(3, 4)
