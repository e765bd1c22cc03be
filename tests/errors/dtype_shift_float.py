import jax.numpy as jnp

bits = jnp.arange(4.0)
jnp.left_shift(bits, 2)
