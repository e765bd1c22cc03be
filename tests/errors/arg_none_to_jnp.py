import jax.numpy as jnp

mask = None
jnp.where(mask, 1.0, 0.0)
