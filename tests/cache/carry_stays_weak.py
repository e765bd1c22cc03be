"""A Python float that stays weak costs one trace."""

import jax


@jax.jit
def halve(x):  # traced: 1
    return x / 2


x = 8.0
for _ in range(3):
    x = halve(x)
