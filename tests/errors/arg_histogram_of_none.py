import jax.numpy as jnp

jnp.sin(None)
