import jax.numpy as jnp

x = jnp.ones((2, 3))
x.sum(dim=1)
