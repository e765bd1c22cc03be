import jax.numpy as jnp

area = jnp.trapz(jnp.arange(3.0))
