"""Logging is no part of the key."""

import jax


@jax.jit
def f(x):  # traced: 1
    return x / 2


f(1.0)
with jax.log_compiles():
    f(1.0)
f(3.0)
