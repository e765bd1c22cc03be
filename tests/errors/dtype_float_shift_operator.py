import jax.numpy as jnp

mask = jnp.zeros(8)
shifted = mask >> 1
