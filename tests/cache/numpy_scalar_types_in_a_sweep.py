"""Scalars of NumPy of several widths."""

import jax
import numpy as np


@jax.jit
def f(x):  # traced: 6
    return x * 2


for x in (np.float32(1), np.float64(1), np.float16(1), np.int8(1), np.int64(1), np.int32(1), np.uint8(1), np.bool_(True)):
    f(x)
f(np.asarray(1.0))
f(np.array(1, np.int32))
