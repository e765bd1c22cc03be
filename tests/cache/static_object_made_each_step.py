"""A configuration made in the loop is new at each step."""

from functools import partial

import jax


class Config:
    def __init__(self, n):
        self.n = n


@partial(jax.jit, static_argnames="config")
def f(x, config):  # traced: 4
    return x * config.n


x = 1.0
for _ in range(4):
    x = f(x, config=Config(2))
