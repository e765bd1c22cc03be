"""Committing an argument to the CPU traces nothing anew."""

import jax
import numpy as np


@jax.jit
def f(x):  # traced: 2
    return x * 2


x = np.ones(3, np.float32)
f(x)
f(jax.device_put(x))
f(jax.device_put(x, jax.devices()[0]))
f(jax.device_put(1.0))
f(1.0)
