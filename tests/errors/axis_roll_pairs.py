import jax.numpy as jnp

jnp.roll(jnp.ones((2, 3)), (1, 2), axis=(0,))
