import jax.numpy as jnp

total = jnp.zeros(3)
for step in range(3):
    total += jnp.ones(3 + step)
