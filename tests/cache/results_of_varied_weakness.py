"""A function whose result is weak or strong by its argument feeds another."""

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def first(x):  # traced: 4
    return x * 2


@jax.jit
def second(x):  # traced: 3
    return x + 1


for x in (1.0, jnp.float32(1), np.float32(1), 1, True):
    second(first(x))
