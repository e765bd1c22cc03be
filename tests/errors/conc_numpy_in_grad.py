import jax
import jax.numpy as jnp
import numpy as np


def loss(w):
    return np.exp(w).sum()


print(jax.grad(loss)(jnp.ones(3)))
