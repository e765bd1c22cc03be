"""Plain recursion inside of a trace runs through each time."""

from functools import partial

import jax


def power(x, n):  # traced: 7
    return x if n == 0 else x * power(x, n - 1)


@partial(jax.jit, static_argnums=1)
def outer(x, n):  # traced: 2
    return power(x, n)


outer(2.0, 3)
outer(2.0, 2)
outer(3.0, 3)
