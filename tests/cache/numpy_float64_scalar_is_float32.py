"""Without x64, a float64 scalar of NumPy is a strong float32."""

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def f(x):  # traced: 2
    return x * 2


f(np.float64(1))
f(np.float32(1))
f(jnp.float32(1))
f(1.0)
