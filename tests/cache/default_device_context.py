"""The default device is part of the key."""

import jax


@jax.jit
def f(x):  # traced: 2
    return x + 1


cpu = jax.devices("cpu")[0]
f(1.0)
with jax.default_device(cpu):
    f(1.0)
    f(2.0)
f(3.0)
