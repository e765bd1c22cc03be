import jax.numpy as jnp

jnp.ones((4, 3))[jnp.array([0, 1]), jnp.array([0, 1, 2])]
