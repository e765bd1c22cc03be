import jax
import jax.numpy as jnp


def loss(w):
    scale = jnp.abs(w).max().item()
    return (w ** 2).sum() / scale


jax.grad(loss)(jnp.ones(3))
