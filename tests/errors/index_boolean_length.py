import jax.numpy as jnp

jnp.ones(3)[jnp.array([True, False])]
