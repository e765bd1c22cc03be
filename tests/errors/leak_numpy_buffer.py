import jax
import numpy as np

buffer = np.zeros(4)


@jax.jit
def write(i, value):
    buffer[0] = value
    return value + i


write(1, 2.0)
