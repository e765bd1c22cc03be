from dataclasses import dataclass
from functools import partial

import jax


@dataclass
class Config:
    width: int = 4


@partial(jax.jit, static_argnums=0)
def apply(config, x):
    return x * config.width


apply(Config(), 1.0)
