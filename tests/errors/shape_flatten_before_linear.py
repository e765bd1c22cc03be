import jax
import jax.numpy as jnp

images = jnp.zeros((32, 28, 28))
w = jnp.zeros((784, 10))


def logits(images):
    return images @ w


probabilities = jax.nn.softmax(logits(images), axis=-1)
