"""A list cannot be static; the call raises before anything is traced."""

from functools import partial

import jax


@partial(jax.jit, static_argnums=1)
def f(x, sizes):  # traced: 2
    return x + sum(sizes)


for sizes in ([1, 2], (1, 2), [3], (1, 2)):
    try:
        f(1.0, sizes)
    except ValueError:
        f(1.0, tuple(sizes))
