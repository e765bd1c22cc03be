import jax
import jax.numpy as jnp

logits = jnp.ones((8, 10))
samples = jax.random.categorical(jax.random.key(0), logits, shape=(4,))
