"""An argument that is no array raises before the trace."""

import jax


@jax.jit
def f(x):  # traced: 1
    return x


for value in ("text", object, 1.0, b"bytes", 2.0):
    try:
        f(value)
    except TypeError:
        pass
