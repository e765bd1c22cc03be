import jax.numpy as jnp

jnp.column_stack([jnp.ones(3), jnp.ones(4)])
