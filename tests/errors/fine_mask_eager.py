import jax.numpy as jnp

x = jnp.array([3.0, -1.0, 2.0])
positive = x[x > 0]
print(positive.shape, jnp.unique(jnp.array([1, 1, 2])).shape)
