"""A jitted function that calls itself with a smaller static number."""

from functools import partial

import jax


@partial(jax.jit, static_argnums=1)
def power(x, n):  # traced: 6
    return x if n == 0 else x * power(x, n - 1)


power(2.0, 3)
power(2.0, 2)
power(2.0, 5)
