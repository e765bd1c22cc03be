import jax.numpy as jnp

a, b = jnp.ones(3), jnp.ones(3)
both = jnp.concatenate(a, b)
