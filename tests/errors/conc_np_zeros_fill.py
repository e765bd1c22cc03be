import jax
import numpy as np


@jax.jit
def table(x):
    out = np.zeros(3)
    for i in range(3):
        out[i] = x * i
    return out


table(2.0)
