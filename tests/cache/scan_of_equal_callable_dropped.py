"""A scan over a callable object that is made for each call."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Body:
    rate: float

    def __call__(self, c, x):  # traced: 4
        return c * self.rate + x, c


for _ in range(3):
    jax.lax.scan(Body(0.5), 0.0, jnp.ones(4))
kept = Body(0.5)
for _ in range(3):
    jax.lax.scan(kept, 0.0, jnp.ones(4))
