import jax.numpy as jnp

x = jnp.ones(3)
name = "3"
y = x * name
