import jax.numpy as jnp

x = jnp.arange(5)
last = x[10]
cut = x[3:99]
y = x.at[20].set(1)
z = x.at[-1].add(5)
w = x[jnp.array([7, -9])]
