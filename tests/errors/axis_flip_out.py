import jax.numpy as jnp

y = jnp.flip(jnp.arange(5), axis=1)
