import jax.numpy as jnp

x = jnp.ones((2, 3))
y = jnp.max(x, axis="rows")
