import jax.numpy as jnp

x = jnp.arange(11)
x = jnp.insert(x, 4, 99)
x = jnp.delete(x, 0)
grid = x.reshape(3, 4)
