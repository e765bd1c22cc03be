"""What equality leaves out does not trace again."""

from dataclasses import dataclass, field
from functools import partial

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Config:
    size: int
    note: str = field(default="", compare=False)


@partial(jax.jit, static_argnums=1)
def f(x, config):  # traced: 2
    return x + jnp.zeros(config.size)


f(1.0, Config(2, "first"))
f(1.0, Config(2, "second"))
f(1.0, Config(3, "first"))
