"""A class of one's own, raised through two traces."""

import jax
import jax.numpy as jnp


class Stop(Exception):
    pass


@jax.jit
def inner(x):  # traced: 2
    raise Stop(x.shape)


@jax.jit
def outer(x):  # traced: 2
    return inner(x) + 1


for _ in range(2):
    try:
        outer(jnp.ones(2))
    except Stop as stop:
        print(stop)
