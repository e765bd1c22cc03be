import jax
import jax.numpy as jnp


@jax.jit
def cross_entropy(logits, labels):
    onehot = jax.nn.one_hot(labels, 10)
    return -(onehot * jax.nn.log_softmax(logits)).sum(-1).mean()


cross_entropy(jnp.zeros((4, 12)), jnp.arange(4))
