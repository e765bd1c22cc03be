import jax.numpy as jnp

x = jnp.arange(6)
mask = jnp.array([True, False, True])
x[mask]
