import jax.numpy as jnp

jnp.ones(5).at[0].put(1)
