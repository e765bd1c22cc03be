"""0.0 and -0.0 are equal."""

from functools import partial

import jax


@partial(jax.jit, static_argnums=1)
def f(x, k):  # traced: 2
    return x + k


f(2.0, 0.0)
f(2.0, -0.0)
f(2.0, 0)
