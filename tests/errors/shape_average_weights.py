import jax.numpy as jnp

x = jnp.ones((3, 4))
jnp.average(x, axis=1, weights=jnp.ones(3))
