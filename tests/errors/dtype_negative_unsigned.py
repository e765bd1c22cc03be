import jax.numpy as jnp

mask = jnp.full((3,), -1, jnp.uint32)
start = jnp.uint32(-1)
