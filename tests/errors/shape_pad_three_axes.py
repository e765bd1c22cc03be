import jax.numpy as jnp

jnp.pad(jnp.ones((2, 3)), ((1, 1), (2, 2), (3, 3)))
