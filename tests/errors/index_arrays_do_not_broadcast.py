import jax.numpy as jnp

image = jnp.zeros((8, 8))
rows = jnp.arange(3)
columns = jnp.arange(4)
patch = image[rows, columns]
