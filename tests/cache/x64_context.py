"""Enabling 64 bits is part of the key, even where types agree."""

import jax
import numpy as np


@jax.jit
def f(x):  # traced: 3
    return x * 2


x = np.ones(2, np.float32)
f(x)
with jax.enable_x64(True):
    f(x)
    f(np.ones(2))
f(x)
f(np.ones(2))
with jax.enable_x64(True):
    f(x)
