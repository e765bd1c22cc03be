"""A static argument handed down."""

from functools import partial

import jax


@partial(jax.jit, static_argnums=1)
def inner(x, n):  # traced: 3
    return x * n


@partial(jax.jit, static_argnums=1)
def outer(x, n):  # traced: 3
    return inner(x, n) + inner(x, 2)


for n in (1, 2, 3, 1):
    outer(1.0, n)
