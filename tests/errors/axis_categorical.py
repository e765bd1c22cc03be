import jax
import jax.numpy as jnp

def act(key, logits):
    return jax.random.categorical(key, logits, axis=1)

act(jax.random.key(0), jnp.zeros((3, 4)))
act(jax.random.key(0), jnp.zeros(4))
