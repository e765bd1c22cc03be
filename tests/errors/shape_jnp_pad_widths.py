import jax.numpy as jnp

image = jnp.ones((8, 8, 3))
padded = jnp.pad(image, ((1, 1), (1, 1)))
