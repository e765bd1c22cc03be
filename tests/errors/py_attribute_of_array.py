import jax.numpy as jnp

x = jnp.ones((2, 3))
y = x.view_as(x)
