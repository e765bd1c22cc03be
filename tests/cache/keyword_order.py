"""The order of keywords is no part of the key."""

import jax


@jax.jit
def f(x, *, a, b, c):  # traced: 1
    return x * a + b - c


f(1.0, a=1.0, b=2.0, c=3.0)
f(1.0, c=3.0, a=1.0, b=2.0)
f(1.0, **{"b": 2.0, "c": 3.0, "a": 1.0})
