import jax.numpy as jnp

a, b = jnp.ones((2, 2)), jnp.zeros((2, 2))
jnp.concatenate(a, b)
