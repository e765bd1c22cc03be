import jax
import jax.numpy as jnp


def loss(w):
    return w.sum(), w, 1.0


jax.value_and_grad(loss, has_aux=True)(jnp.ones(2))
