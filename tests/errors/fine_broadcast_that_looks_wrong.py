import jax.numpy as jnp

prediction = jnp.ones((8, 1))
target = jnp.ones(8)
error = prediction - target
print(error.shape)
