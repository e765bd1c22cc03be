import jax.numpy as jnp

z = jnp.array([1 + 2j, 3j])
z % 2
