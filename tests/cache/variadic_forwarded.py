"""A wrapper that forwards everything passes on how it was called."""

import jax


@jax.jit
def inner(x, y=1.0):  # traced: 4
    return x + y


def outer(*args, **kwargs):
    return inner(*args, **kwargs)


outer(1.0)
outer(1.0, 2.0)
outer(1.0, y=2.0)
inner(1.0, 5.0)
outer(x=1.0)
