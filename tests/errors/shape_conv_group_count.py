import jax.numpy as jnp
from jax import lax

x = jnp.ones((1, 6, 16, 16))
w = jnp.ones((12, 3, 3, 3))
y = lax.conv_general_dilated(x, w, (1, 1), "SAME", feature_group_count=4)
