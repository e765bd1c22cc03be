import jax.numpy as jnp

jnp.exp([0.0, 1.0])
