"""A second def of the name is another function with a cache of its own."""

import jax


@jax.jit
def f(x):  # traced: 1
    return x + 1


f(1.0)
old = f


@jax.jit
def f(x):  # traced: 1
    return x + 2


f(1.0)
old(1.0)
f(1.0)
