import jax.numpy as jnp

a = jnp.ones((3, 10))
b = jnp.ones((2, 8))
c = jnp.cov(a, b)
