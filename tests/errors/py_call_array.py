import jax.numpy as jnp

layer = jnp.ones((2, 2))
layer(jnp.ones(2))
