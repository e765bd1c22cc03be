import jax.numpy as jnp

mask = jnp.triu(jnp.ones(4), k=1)
