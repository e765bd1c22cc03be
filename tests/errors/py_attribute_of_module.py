import jax.numpy as jnp

jnp.relu(jnp.ones(2))
