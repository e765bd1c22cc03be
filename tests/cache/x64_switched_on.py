"""`jax_enable_x64` switched on in the middle of a program."""

import jax
import numpy as np


@jax.jit
def f(x):  # traced: 5
    return x + 1


f(1.0)
f(np.ones(2))
jax.config.update("jax_enable_x64", True)
f(1.0)
f(np.ones(2))
f(np.ones(2, np.float32))
