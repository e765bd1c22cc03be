import jax
import jax.numpy as jnp


@jax.jit
def cross_entropy(logits, labels, classes):
    targets = jax.nn.one_hot(labels, classes)
    return -(targets * jax.nn.log_softmax(logits)).sum()


cross_entropy(jnp.ones((2, 3)), jnp.array([0, 2]), 3)
