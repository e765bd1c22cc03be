import jax.numpy as jnp

x = jnp.arange(24)
a = x.reshape(2, 3, 4)
b = a.transpose(0, 2, 1)
c = b.reshape(6, 5)
