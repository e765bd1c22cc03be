import jax.numpy as jnp

x = jnp.zeros(4)
x.at[2] = 1.0
