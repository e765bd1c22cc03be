"""The traces go with the object that was traced, though an equal one lives."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Scale:
    w: float

    def __call__(self, x):  # traced: 1
        return self.w * x


first, second = Scale(2.0), Scale(2.0)
jax.jit(first)(jnp.ones(2))
jax.jit(second)(jnp.ones(2))
del first
jax.jit(second)(jnp.ones(2))
jax.jit(second)(jnp.ones(2))
