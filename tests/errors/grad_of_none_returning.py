import jax
import jax.numpy as jnp


def loss(w):
    error = (w - 1) ** 2
    error.mean()


jax.grad(loss)(jnp.ones(3))
