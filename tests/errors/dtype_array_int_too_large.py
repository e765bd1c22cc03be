import jax.numpy as jnp

ids = jnp.array([1, 2, 3_000_000_000])
