"""A default that is left out is a constant of the trace."""

import jax


@jax.jit
def f(x, k=2.0):  # traced: 3
    return x * k


f(1.0)
f(1.0, 2.0)
f(1.0, k=2.0)
f(1.0)
f(1.0, 3.0)
