import jax.numpy as jnp

jnp.repeat(jnp.ones(3), -1)
