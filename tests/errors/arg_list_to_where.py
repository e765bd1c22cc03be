import jax.numpy as jnp

x = jnp.where(jnp.array([True, False]), [1, 2], jnp.zeros(2))
