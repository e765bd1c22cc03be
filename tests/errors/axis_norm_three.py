import jax.numpy as jnp

jnp.linalg.norm(jnp.ones((2, 3, 4)), axis=(0, 1, 2))
