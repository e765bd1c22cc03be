"""A jit of a class as a function that builds a tree."""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class Pair(NamedTuple):
    a: float
    b: float


@jax.jit
def swap(pair):  # traced: 2
    return Pair(pair.b, pair.a)


build = jax.jit(Pair)
for _ in range(2):
    swap(build(1.0, 2.0))
swap(build(1.0, jnp.ones(2)))
