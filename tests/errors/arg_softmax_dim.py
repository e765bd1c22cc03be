import jax
import jax.numpy as jnp


@jax.jit
def probabilities(logits):
    return jax.nn.softmax(logits, dim=-1)


probabilities(jnp.ones((2, 3)))
