import jax.numpy as jnp

mask = jnp.where(jnp.arange(3) > 1, 0.0, -jnp.Inf)
