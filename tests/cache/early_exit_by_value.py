"""A loop that stops on a computed value."""

import jax


@jax.jit
def newton(x):  # traced: 1
    return x - (x * x - 2) / (2 * x)


x, last = 1.0, 0.0
while abs(x - last) > 1e-6:
    last, x = x, newton(x)
