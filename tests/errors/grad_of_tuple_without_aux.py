import jax
import jax.numpy as jnp


def loss(w):
    value = (w**2).sum()
    return value, {"loss": value}


(value, metrics), grads = jax.value_and_grad(loss)(jnp.ones(3))
