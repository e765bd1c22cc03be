import jax.numpy as jnp

x = jnp.linspace(0, 1, 20)
jnp.histogram(x, bins=4, weights=jnp.ones(10))
