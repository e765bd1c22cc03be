import jax.numpy as jnp

spectrum = jnp.arange(4.0)
jnp.trace(spectrum)
