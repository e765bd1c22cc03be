import jax.numpy as jnp

x = jnp.arange(6.0).reshape(2, 3)
clean = jnp.where(jnp.isnan(x), jnp.zeros(2), x)
