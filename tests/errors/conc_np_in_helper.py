import jax
import jax.numpy as jnp
import numpy as np


def normalize(x):
    norm = np.linalg.norm(x)
    return x / norm


def loss(w, x):
    return ((normalize(x) * w) ** 2).sum()


jax.grad(loss)(jnp.ones(3), jnp.ones(3))
jax.grad(loss, argnums=1)(jnp.ones(3), jnp.ones(3))
