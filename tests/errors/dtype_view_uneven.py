import jax.numpy as jnp

raw = jnp.arange(6, dtype=jnp.uint8)
words = raw.view(jnp.uint32)
