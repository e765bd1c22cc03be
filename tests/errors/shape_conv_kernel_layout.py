import jax.numpy as jnp
from jax import lax


def conv(x, kernel):
    return lax.conv_general_dilated(
        x, kernel, window_strides=(2, 2), padding="VALID",
        dimension_numbers=("NHWC", "HWIO", "NHWC"))


x = jnp.ones((1, 32, 32, 3))
kernel = jnp.ones((16, 3, 5, 5))
print(conv(x, kernel).shape)
