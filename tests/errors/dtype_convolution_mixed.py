import jax.numpy as jnp
from jax import lax

x = jnp.ones((1, 8, 8, 3), jnp.bfloat16)
kernel = jnp.ones((3, 3, 3, 4))
lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
