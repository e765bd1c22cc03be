"""`clear_cache` of one function, and a call after it."""

import jax


@jax.jit
def f(x):  # traced: 2
    return x + 1


@jax.jit
def g(x):  # traced: 1
    return x - 1


f(1.0)
g(1.0)
f.clear_cache()
f(1.0)
g(1.0)
