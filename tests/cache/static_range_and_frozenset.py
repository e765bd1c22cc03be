"""Ranges and frozen sets compare by what is in them."""

from functools import partial

import jax


@partial(jax.jit, static_argnums=1)
def f(x, numbers):  # traced: 3
    return x * sum(numbers)


for numbers in (range(3), range(0, 3), frozenset({1, 2}), frozenset([2, 1]), range(4)):
    f(1.0, numbers)
