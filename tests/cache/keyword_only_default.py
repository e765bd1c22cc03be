"""A keyword-only parameter with a default."""

import jax


@jax.jit
def f(x, *, scale=1.0):  # traced: 3
    return x * scale


f(1.0)
f(1.0, scale=1.0)
f(1.0, scale=2.0)
f(1.0, scale=2)
