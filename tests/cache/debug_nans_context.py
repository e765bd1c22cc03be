"""Looking for NaNs traces nothing anew."""

import jax


@jax.jit
def f(x):  # traced: 1
    return x / 2


f(1.0)
with jax.debug_nans(True):
    f(1.0)
    f(2.0)
f(3.0)
