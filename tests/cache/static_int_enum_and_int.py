"""A member of IntEnum equals its number and is another type."""

from enum import IntEnum
from functools import partial

import jax


class Level(IntEnum):
    LOW = 1
    HIGH = 2


@partial(jax.jit, static_argnums=1)
def f(x, level):  # traced: 4
    return x * int(level)


for level in (Level.LOW, 1, Level.HIGH, 2, Level.LOW):
    f(1.0, level)
