"""Clearing one jit of a function that another one shares."""

import jax


def f(x):  # traced: 2
    return x + 1


a, b = jax.jit(f), jax.jit(f)
a(1.0)
b(1.0)
a.clear_cache()
b(1.0)
a(1.0)
