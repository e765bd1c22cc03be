"""A parameter that is only positional."""

import jax


@jax.jit
def f(x, /, y):  # traced: 3
    return x * y


f(1.0, 2.0)
f(1.0, y=2.0)
f(2.0, 3.0)
f(2, 3.0)
