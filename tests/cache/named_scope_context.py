"""A named scope around the call is no part of the key."""

import jax


@jax.jit
def f(x):  # traced: 1
    with jax.named_scope("inside"):
        return x / 2


f(1.0)
with jax.named_scope("outside"):
    f(1.0)
