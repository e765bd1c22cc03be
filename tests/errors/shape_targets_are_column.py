import jax
import jax.numpy as jnp


@jax.jit
def accuracy(logits, labels):
    picked = jnp.take_along_axis(logits, labels, axis=-1)
    return picked.mean()


logits = jnp.zeros((10, 3))
labels = jnp.zeros(10, jnp.int32)
accuracy(logits, labels)
