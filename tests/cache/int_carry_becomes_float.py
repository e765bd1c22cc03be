"""An integer that is divided settles as a weak float."""

import jax


@jax.jit
def halve(x):  # traced: 2
    return x / 2


x = 8
for _ in range(4):
    x = halve(x)
