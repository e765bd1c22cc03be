"""Checking for leaks is no part of the key of a call from outside."""

import jax


@jax.jit
def f(x):  # traced: 1
    return x / 2


f(1.0)
with jax.checking_leaks():
    f(1.0)
    f(2.0)
f(3.0)
