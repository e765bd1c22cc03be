import jax.numpy as jnp

x = jnp.ones((2, 3))
x.shape = (3, 2)
