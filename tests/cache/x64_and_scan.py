"""A scan under 64 bits traces its body again."""

import jax
import numpy as np


def body(c, x):  # traced: 2
    return c + x, None


start, xs = np.float32(0), np.ones(3, np.float32)
jax.lax.scan(body, start, xs)
with jax.enable_x64(True):
    jax.lax.scan(body, start, xs)
jax.lax.scan(body, start, xs)
