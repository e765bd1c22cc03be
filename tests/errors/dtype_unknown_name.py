import jax.numpy as jnp

x = jnp.zeros(3, dtype="float31")
