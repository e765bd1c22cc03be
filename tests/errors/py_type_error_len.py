import jax.numpy as jnp

steps = 10
for i in range(len(steps)):
    x = jnp.ones(i)
