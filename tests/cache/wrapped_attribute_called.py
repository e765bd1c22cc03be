"""`__wrapped__` is the plain function: calling it traces nothing."""

import jax


@jax.jit
def f(x):  # traced: 2
    return x + 1


f(1.0)
f.__wrapped__(1.0)
jax.jit(f.__wrapped__)(1.0)
jax.jit(f.__wrapped__)(2)
