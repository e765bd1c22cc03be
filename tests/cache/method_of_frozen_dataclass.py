"""A frozen dataclass as static self compares by its fields."""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Model:
    width: int

    @partial(jax.jit, static_argnums=0)
    def init(self, x):  # traced: 3
        return jnp.zeros(self.width) + x


for width in (2, 3, 2, 3, 4):
    Model(width).init(1.0)
