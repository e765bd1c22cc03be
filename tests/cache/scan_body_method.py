"""The body of a scan is a bound method."""

import jax
import jax.numpy as jnp


class Cell:
    def __init__(self, w):
        self.w = w

    def step(self, h, x):  # traced: 3
        return jnp.tanh(self.w * h + x), None


cell = Cell(0.5)
for _ in range(3):
    jax.lax.scan(cell.step, jnp.float32(0), jnp.ones(4))
