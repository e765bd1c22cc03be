"""Two jitted functions that call each other."""

from functools import partial

import jax


@partial(jax.jit, static_argnums=1)
def even(x, n):  # traced: 4
    return x if n == 0 else odd(x + 1, n - 1)


@partial(jax.jit, static_argnums=1)
def odd(x, n):  # traced: 4
    return -x if n == 0 else even(x, n - 1)


even(1.0, 4)
odd(1.0, 2)
even(1.0, 2)
