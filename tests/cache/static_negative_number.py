"""A static argument counted from the end."""

from functools import partial

import jax


@partial(jax.jit, static_argnums=-1)
def f(x, y, n):  # traced: 2
    return (x + y) * n


f(1.0, 2.0, 3)
f(1.0, 2.0, 4)
f(3.0, 1.0, 3)
