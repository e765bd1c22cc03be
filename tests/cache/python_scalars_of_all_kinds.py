"""bool, int, float and complex are four types."""

import jax


@jax.jit
def f(x):  # traced: 4
    return x + x


for value in (True, 1, 1.0, 1j, False, 2, 2.0, 2j):
    f(value)
