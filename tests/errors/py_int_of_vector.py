import jax.numpy as jnp

x = jnp.arange(3)
n = int(x)
