"""A list of numbers is not an array: each number is an argument."""

import jax


@jax.jit
def f(xs):  # traced: 3
    return sum(xs)


f([1.0, 2.0])
f([3.0, 4.0])
f([1.0, 2.0, 3.0])
f([1, 2.0])
