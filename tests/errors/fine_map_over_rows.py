import jax
import jax.numpy as jnp

rows = jax.lax.map(lambda row: jnp.where(row > 1, row, 0).sum(), jnp.ones((3, 4)))
chunks = jax.lax.map(jnp.sum, jnp.ones((5, 2)), batch_size=2)
