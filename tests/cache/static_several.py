"""Several static arguments: each combination is a key."""

from functools import partial

import jax


@partial(jax.jit, static_argnums=(1, 2))
def f(x, a, b):  # traced: 4
    return x * a + b


for a in (1, 2):
    for b in (1, 2):
        f(1.0, a, b)
        f(2.0, b, a)
