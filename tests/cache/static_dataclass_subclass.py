"""A subclass whose fields are equal is another key."""

from dataclasses import dataclass
from functools import partial

import jax


@dataclass(frozen=True)
class Base:
    n: int


@dataclass(frozen=True)
class Derived(Base):
    pass


@partial(jax.jit, static_argnums=1)
def f(x, config):  # traced: 2
    return x * config.n


for config in (Base(1), Derived(1), Base(1), Derived(1)):
    f(1.0, config)
