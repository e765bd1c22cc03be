import jax.numpy as jnp

grid = jnp.zeros((4, 4))
grid = grid.at[1].set(jnp.ones(4))
grid = grid.at[:, 0].set(jnp.ones(3))
