"""A static object that is changed in place finds its trace, whatever its hash says now."""

from functools import partial

import jax


class Config:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.n == other.n

    def __hash__(self):
        return hash(self.n)


@partial(jax.jit, static_argnums=1)
def f(x, config):  # traced: 1
    return x * config.n


config = Config(1)
for n in (1, 2, 2, 1, 3):
    config.n = n
    f(1.0, config)
