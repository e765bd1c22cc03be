import jax.numpy as jnp

x = jnp.ones(3)
print(x, sep="\n", end="")
print(x, flsh=True)
