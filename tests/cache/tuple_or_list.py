"""A tuple and a list of the same leaves."""

import jax


@jax.jit
def total(xs):  # traced: 2
    return xs[0] + xs[1]


total((1.0, 2.0))
total([1.0, 2.0])
total((3.0, 4.0))
total([3.0, 4.0])
