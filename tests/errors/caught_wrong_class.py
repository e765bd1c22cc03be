import jax.numpy as jnp

try:
    jnp.ones(3) + jnp.ones(4)
except ValueError:
    print("shapes differ")
