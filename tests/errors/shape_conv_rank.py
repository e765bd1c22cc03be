import jax.numpy as jnp
from jax import lax

image = jnp.ones((28, 28, 1))
kernel = jnp.ones((3, 3, 1, 8))
lax.conv_general_dilated(image, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
