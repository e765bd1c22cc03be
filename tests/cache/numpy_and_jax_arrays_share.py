"""A NumPy array and a jax array of one type are one key."""

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def f(x):  # traced: 1
    return x.sum()


f(np.ones(3, np.float32))
f(jnp.ones(3))
f(np.ones(3))
f(jnp.ones(3, jnp.float32))
