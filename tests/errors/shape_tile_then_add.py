import jax.numpy as jnp

pattern = jnp.arange(3)
canvas = jnp.zeros(10)
canvas = canvas + jnp.tile(pattern, 3)
