"""Static arguments of one hash that are not equal."""

from functools import partial

import jax
import jax.numpy as jnp


class Config:
    def __init__(self, width):
        self.width = width

    def __eq__(self, other):
        return isinstance(other, Config) and self.width == other.width

    def __hash__(self):
        return 1


@partial(jax.jit, static_argnames="config")
def f(x, config):  # traced: 2
    return x * config.width


for width in (2, 3, 2, 3):
    f(jnp.ones(2), config=Config(width))
