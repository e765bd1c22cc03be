import jax.numpy as jnp

samples = jnp.ones((10, 4))
jnp.linalg.cholesky(samples)
