import jax
import jax.numpy as jnp


def loss(w):
    hidden = w * 2
    return hidden.sum(), hidden


value, grad = jax.value_and_grad(loss)(jnp.ones(3))
