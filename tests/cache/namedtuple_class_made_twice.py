"""The same named tuple, made again, is another type."""

from collections import namedtuple

import jax


def make():
    return namedtuple("State", ["x"])


@jax.jit
def step(state):  # traced: 2
    return state._replace(x=state.x + 1.0)


First, Second = make(), make()
step(First(1.0))
step(Second(1.0))
step(step(First(1.0)))
