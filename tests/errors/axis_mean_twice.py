import jax.numpy as jnp

jnp.mean(jnp.ones((2, 3)), axis=(0, 0))
