import jax.numpy as jnp

x = jnp.ones((2, 3, 4))
y = jnp.moveaxis(x, (0, 1), (2,))
