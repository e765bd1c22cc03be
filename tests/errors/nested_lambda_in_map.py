import jax
import jax.numpy as jnp

rows = jnp.ones((3, 4))
jax.lax.map(lambda row: row @ jnp.ones(5), rows)
