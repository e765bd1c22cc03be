"""A named tuple compares as a tuple, but is another type."""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Size(NamedTuple):
    h: int
    w: int


@partial(jax.jit, static_argnums=1)
def f(x, size):  # traced: 3
    return x + jnp.zeros(size)


for size in (Size(2, 3), (2, 3), Size(2, 3), Size(3, 2)):
    f(1.0, size)
