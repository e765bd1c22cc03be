"""An object without __eq__ is a key by itself."""

from functools import partial

import jax


class Config:
    def __init__(self, n):
        self.n = n


@partial(jax.jit, static_argnums=1)
def f(x, config):  # traced: 2
    return x * config.n


one = Config(1)
other = Config(1)
for config in (one, other, one, other):
    f(1.0, config)
