"""NumPy scalars have their own type and are not weak."""

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def f(x):  # traced: 6
    return x * 2


for value in (np.float32(1), np.int32(1), np.bool_(True), np.float16(1), np.uint8(1), np.complex64(1)):
    f(value)
f(jnp.float16(3))
