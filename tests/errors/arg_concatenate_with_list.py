import jax.numpy as jnp

tokens = jnp.arange(3)
tokens = jnp.concatenate([tokens, [7]])
