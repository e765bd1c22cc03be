"""A default is not filled in before the key is made."""

from functools import partial

import jax


@partial(jax.jit, static_argnames="n")
def f(x, n=2):  # traced: 3
    return x * n


f(1.0)
f(1.0, 2)
f(1.0, n=2)
f(1.0)
