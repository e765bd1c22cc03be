import jax
import jax.numpy as jnp


def loss(w):
    value = jnp.sum(w)


jax.grad(loss)(jnp.ones(2))
