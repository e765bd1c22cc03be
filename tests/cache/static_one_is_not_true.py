"""1, 1.0 and True are equal and hash alike, and are three keys."""

from functools import partial

import jax


@partial(jax.jit, static_argnums=1)
def f(x, k):  # traced: 3
    return x * k


for k in (1, 1.0, True, 1, 1.0, True):
    f(2.0, k)
