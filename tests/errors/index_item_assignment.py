import jax.numpy as jnp

board = jnp.zeros((3, 3))
board[1, 1] = 1
