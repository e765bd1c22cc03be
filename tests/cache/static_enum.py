"""Members of an enumeration are static by identity."""

from enum import Enum
from functools import partial

import jax


class Mode(Enum):
    ADD = 1
    SUB = 2


@partial(jax.jit, static_argnums=2)
def apply(a, b, mode):  # traced: 2
    return a + b if mode is Mode.ADD else a - b


for mode in (Mode.ADD, Mode.SUB, Mode(1), Mode["SUB"]):
    apply(1.0, 2.0, mode)
