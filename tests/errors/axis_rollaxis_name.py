import jax.numpy as jnp

x = jnp.ones((2, 3))
y = jnp.sum(x, axis="rows")
