import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def stats(x):
    return np.sum(x), np.mean(x, axis=0), np.shape(x)[0]


stats(jnp.ones((3, 2)))
