import jax.numpy as jnp

x = jnp.ones((2, 3, 4))
x.mean(axis=(0, -3))
