import jax.numpy as jnp

mask = jnp.ones(4)
others = ~mask
