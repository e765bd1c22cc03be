import jax.numpy as jnp

x = jnp.ones((4, 6))
y = x.reshape(-1, 2, -1)
