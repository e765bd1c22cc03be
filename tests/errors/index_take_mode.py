import jax.numpy as jnp

x = jnp.take(jnp.arange(4), jnp.array([5]), mode="bounce")
