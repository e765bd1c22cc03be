"""An object without a hash, and one with."""

from functools import partial

import jax


class Config:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.n == other.n


class Hashed(Config):
    def __hash__(self):
        return hash(self.n)


@partial(jax.jit, static_argnums=1)
def f(x, config):  # traced: 1
    return x * config.n


for kind in (Config, Hashed, Hashed):
    try:
        f(1.0, kind(2))
    except ValueError:
        pass
