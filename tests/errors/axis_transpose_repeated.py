import jax.numpy as jnp

x = jnp.ones((2, 3, 4))
y = x.transpose(0, 2, 2)
