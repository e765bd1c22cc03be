import jax.numpy as jnp

sentences = [[1, 2, 3], [4, 5], [6]]
rows = [jnp.array(s) for s in sentences]
batch = jnp.stack(rows)
