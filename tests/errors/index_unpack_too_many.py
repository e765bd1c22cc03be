import jax.numpy as jnp

pair = jnp.arange(3)
a, b = pair
