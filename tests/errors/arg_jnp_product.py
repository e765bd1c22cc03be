import jax.numpy as jnp

size = jnp.product(jnp.array([2, 3]))
