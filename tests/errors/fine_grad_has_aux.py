import jax
import jax.numpy as jnp


def loss(w):
    h = w * 2
    return h.sum(), {"hidden": h, "name": 3}


grads, aux = jax.grad(loss, has_aux=True)(jnp.ones(3))
