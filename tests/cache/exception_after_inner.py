"""An outer trace fails after its inner function was traced."""

from functools import partial

import jax


@jax.jit
def inner(x):  # traced: 1
    return x * 2


@partial(jax.jit, static_argnums=1)
def outer(x, fail):  # traced: 3
    y = inner(x)
    if fail:
        raise KeyError("fail")
    return y


for fail in (True, True, False):
    try:
        outer(1.0, fail)
    except KeyError:
        pass
