import jax.numpy as jnp

jnp.ones(3) + [1, 2, 3]
