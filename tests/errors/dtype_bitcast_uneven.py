import jax.numpy as jnp
from jax import lax

words = lax.bitcast_convert_type(jnp.ones((4, 3), jnp.uint8), jnp.uint32)
