import jax.numpy as jnp

x = jnp.ones((2, 3))
y = jnp.cumsum(x, axis=1.0)
