import jax.numpy as jnp

x = jnp.ones((4, 6))
middle = x.ndim / 2
x.sum(axis=middle)
