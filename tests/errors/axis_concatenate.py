import jax.numpy as jnp

parts = [jnp.ones(2), jnp.zeros(3)]
joined = jnp.concatenate(parts, axis=1)
