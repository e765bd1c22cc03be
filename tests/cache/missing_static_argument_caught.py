"""A call that fails before tracing costs nothing."""

from functools import partial

import jax


@partial(jax.jit, static_argnames="n")
def f(x, n):  # traced: 1
    return x * n


try:
    f(1.0)
except TypeError:
    f(1.0, n=3)
f(2.0, n=3)
