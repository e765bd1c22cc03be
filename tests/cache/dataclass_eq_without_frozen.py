"""A dataclass that can change has no hash and cannot be static."""

from dataclasses import dataclass
from functools import partial

import jax


@dataclass
class Config:
    n: int


@dataclass(unsafe_hash=True)
class Hashed:
    n: int


@partial(jax.jit, static_argnums=1)
def f(x, config):  # traced: 2
    return x * config.n


for config in (Config(1), Hashed(1), Hashed(1), Hashed(2)):
    try:
        f(1.0, config)
    except ValueError:
        pass
