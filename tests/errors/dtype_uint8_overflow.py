import jax.numpy as jnp

image = jnp.zeros((4, 4), jnp.uint8)
brighter = jnp.uint8(300) + image
