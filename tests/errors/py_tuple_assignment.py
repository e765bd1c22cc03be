import jax.numpy as jnp

shape = jnp.ones((2, 3)).shape
shape[0] = 4
