"""Each call of a function that raises traces it."""

import jax


@jax.jit
def f(x):  # traced: 3
    raise ValueError("never")


for _ in range(3):
    try:
        f(1.0)
    except ValueError:
        pass
