import jax.numpy as jnp

rows = [jnp.arange(3.0), jnp.arange(3.0), jnp.arange(4.0)]
table = jnp.vstack(rows)
