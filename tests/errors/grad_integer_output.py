import jax
import jax.numpy as jnp


def accuracy(logits, labels):
    return (logits.argmax(-1) == labels).sum()


jax.grad(accuracy)(jnp.ones((4, 3)), jnp.zeros(4, jnp.int32))
