"""How an argument is passed is part of the key."""

import jax


@jax.jit
def f(x, y):  # traced: 3
    return x - y


f(1.0, 2.0)
f(1.0, y=2.0)
f(x=1.0, y=2.0)
f(y=2.0, x=1.0)
f(3.0, 4.0)
