import jax.numpy as jnp

table = jnp.array([1, 2, 3], dtype=jnp.int8)
limits = jnp.array([-128, 127, 200], dtype=jnp.int8)
