"""A flag that is added to settles as an integer."""

import jax


@jax.jit
def bump(x):  # traced: 2
    return x + 1


x = True
for _ in range(4):
    x = bump(x)
