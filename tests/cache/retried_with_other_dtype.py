"""A function that is tried with other types until one works."""

import jax
import numpy as np


@jax.jit
def bits(x):  # traced: 5
    return x & 1


for x in (1.0, np.float32(1), 1, np.int32(1), 2.0):
    try:
        bits(x)
    except TypeError:
        pass
