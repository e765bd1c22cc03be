import jax.numpy as jnp

x = jnp.ones_like((3, 4), jnp.float32)
y = x + jnp.ones((3, 4))
