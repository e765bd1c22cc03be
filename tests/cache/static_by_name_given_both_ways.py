"""Positional and keyword use of a static argument are two keys."""

from functools import partial

import jax


@partial(jax.jit, static_argnames="n")
def f(x, n):  # traced: 3
    return x * n


f(1.0, n=2)
f(1.0, 2)
f(1.0, n=2)
f(x=1.0, n=2)
f(n=2, x=1.0)
