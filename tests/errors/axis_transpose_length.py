import jax.numpy as jnp

x = jnp.ones((2, 3, 4))
jnp.transpose(x, (1, 0))
