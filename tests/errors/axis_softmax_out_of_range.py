import jax
import jax.numpy as jnp


def attention(q, k, v):
    scores = q @ k.T
    weights = jax.nn.softmax(scores, axis=2)
    return weights @ v


attention(jnp.ones((3, 4)), jnp.ones((5, 4)), jnp.ones((5, 2)))
