"""A partial that a function compiles and drops."""

from functools import partial

import jax
import jax.numpy as jnp


def scale(lr, w):  # traced: 3
    return w * lr


def step(w, lr):
    f = jax.jit(partial(scale, lr))
    return f(f(w))


w = jnp.ones(2)
for lr in (0.1, 0.1, 0.2):
    w = step(w, lr)
