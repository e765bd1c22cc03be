"""Configurations that are equal are one key."""

from dataclasses import dataclass, replace
from functools import partial

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Config:
    width: int
    rate: float = 0.1


@partial(jax.jit, static_argnames="config")
def step(x, config):  # traced: 3
    return x * config.rate + jnp.zeros(config.width)


for width in (2, 3, 2):
    step(1.0, config=Config(width))
step(1.0, config=Config(2, 0.1))
step(1.0, config=replace(Config(2), rate=0.2))
