import jax.numpy as jnp

x = jnp.ones((2, 3, 4))
print(x.sum(axis=(-1, 0)).shape, x.swapaxes(0, -1).shape, jnp.moveaxis(x, (0, 1), (-1, -2)).shape)
