import jax.numpy as jnp

empty = jnp.zeros((0, 4))
print(empty.sum(), empty.sum(0), empty.mean(1).shape)
