import jax.numpy as jnp

x = jnp.arange(10.0)
y = jnp.ones(9)
coefficients = jnp.polyfit(x, y, 2)
