import jax.numpy as jnp

x = jnp.ones(3)
column = jnp.expand_dims(x, 2)
