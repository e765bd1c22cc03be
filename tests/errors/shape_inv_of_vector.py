import jax.numpy as jnp

precision = jnp.linalg.inv(jnp.array([1.0, 2.0]))
