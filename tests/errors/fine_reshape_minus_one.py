import jax.numpy as jnp

x = jnp.ones((4, 6))
print(x.reshape(-1).shape, x.reshape(2, -1, 3).shape, x.reshape((-1, 1)).shape, jnp.zeros(0).reshape(0, 3).shape)
