import jax.numpy as jnp

x = jnp.zeros(3)
x = x.at[10].set(1.0)
x = x.at[jnp.array([0, 99])].add(2.0)
