import jax.numpy as jnp

cube = jnp.ones((2, 2, 2))
jnp.diag(cube)
