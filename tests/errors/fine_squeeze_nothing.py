import jax.numpy as jnp

x = jnp.ones((2, 3))
print(x.squeeze().shape, jnp.atleast_3d(x).shape, jnp.ones((1, 1)).squeeze().shape)
