"""Arrays without elements differ by shape."""

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def f(x):  # traced: 3
    return x.sum()


f(jnp.zeros(0))
f(jnp.zeros((0, 3)))
f(jnp.zeros((3, 0)))
f(np.array([]))
