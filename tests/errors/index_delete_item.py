import jax.numpy as jnp

queue = jnp.arange(4)
del queue[0]
