import jax.numpy as jnp

x = jnp.ones((2, 3))
centered = x - x.mean(axis=1, keepdim=True)
