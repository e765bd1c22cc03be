import jax.numpy as jnp

rows, columns = jnp.arange(4), jnp.arange(6)
r, c = jnp.broadcast_arrays(rows, columns)
