"""A branch on a tracer fails at each call."""

import jax


@jax.jit
def clip(x):  # traced: 2
    return x if x > 0 else 0.0


for value in (1.0, 2.0):
    try:
        clip(value)
    except jax.errors.TracerBoolConversionError:
        print("no")
