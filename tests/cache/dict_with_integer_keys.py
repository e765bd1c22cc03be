"""Keys may be numbers."""

import jax


@jax.jit
def total(table):  # traced: 2
    return sum(table.values())


total({0: 1.0, 1: 2.0})
total({1: 2.0, 0: 1.0})
total({0: 1.0, 2: 2.0})
