import jax.numpy as jnp

jnp.ones((2, 3), jnp.int8).view(jnp.int32)
