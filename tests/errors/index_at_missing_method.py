import jax.numpy as jnp

x = jnp.zeros(3)
x.at[0].append(1.0)
