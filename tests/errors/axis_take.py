import jax.numpy as jnp

embedding = jnp.ones((100, 16))
tokens = jnp.array([1, 2, 3])
jnp.take(embedding, tokens, axis=2)
