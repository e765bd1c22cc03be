import jax
import jax.numpy as jnp


def loss(w):
    return (w @ jnp.ones((3, 1))).squeeze()


jax.grad(loss)(jnp.ones((1, 3)))
