import jax.numpy as jnp

x = jnp.arange(4).numpy()
