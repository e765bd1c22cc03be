"""A named tuple is a type of its own."""

from collections import namedtuple
from typing import NamedTuple

import jax


class Point(NamedTuple):
    x: float
    y: float


Pair = namedtuple("Pair", "x y")


@jax.jit
def norm(p):  # traced: 3
    return p[0] ** 2 + p[1] ** 2


for p in (Point(1.0, 2.0), (1.0, 2.0), Pair(1.0, 2.0), Point(y=1.0, x=2.0)):
    norm(p)
