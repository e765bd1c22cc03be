"""Each number of arguments is another structure."""

import jax


@jax.jit
def total(*xs):  # traced: 4
    return sum(xs)


for n in (1, 2, 3, 2, 1):
    total(*[1.0] * n)
total(1.0, 2)
