"""An index of NumPy's is another type than Python's."""

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def at(x, i):  # traced: 2
    return x[i]


x = jnp.arange(5.0)
for i in np.arange(3):
    at(x, i)
for i, _ in enumerate(range(3)):
    at(x, i)
