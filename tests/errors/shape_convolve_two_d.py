import jax.numpy as jnp

image = jnp.ones((5, 5))
blurred = jnp.convolve(image, jnp.ones(3) / 3)
