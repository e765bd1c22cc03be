"""A result that is no array raises after the trace, at each call."""

import jax


@jax.jit
def f(x):  # traced: 2
    return "text"


for _ in range(2):
    try:
        f(1.0)
    except TypeError:
        pass
