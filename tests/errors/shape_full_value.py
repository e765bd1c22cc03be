import jax.numpy as jnp

jnp.full((2, 3), jnp.ones(4))
