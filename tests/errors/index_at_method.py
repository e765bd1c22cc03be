import jax.numpy as jnp

counts = jnp.zeros(4)
counts = counts.at[2].increment(1)
