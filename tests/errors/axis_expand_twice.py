import jax.numpy as jnp

x = jnp.expand_dims(jnp.ones(3), (0, 0))
