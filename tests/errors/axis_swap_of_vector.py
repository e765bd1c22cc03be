import jax.numpy as jnp

transposed = jnp.swapaxes(jnp.arange(4), 0, 1)
