import jax.numpy as jnp

x = jnp.arange(5)
mask = jnp.array([True, False, True])
x = x.at[mask].set(0)
