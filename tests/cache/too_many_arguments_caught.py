"""A call with arguments the function does not take."""

import jax


@jax.jit
def f(x):  # traced: 1
    return x


for arguments in ((), (1.0,), (1.0, 2.0), (2.0,)):
    try:
        f(*arguments)
    except TypeError:
        pass
