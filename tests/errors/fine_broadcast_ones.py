import jax.numpy as jnp

a = jnp.ones((1, 5, 1)) + jnp.ones((3, 1, 4))
b = jnp.ones((0, 3)) * jnp.ones((1, 3))
c = jnp.zeros((3, 0)) @ jnp.zeros((0, 2))
