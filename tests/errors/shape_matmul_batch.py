import jax.numpy as jnp

a = jnp.ones((2, 3, 4))
b = jnp.ones((5, 4, 6))
c = jnp.matmul(a, b)
