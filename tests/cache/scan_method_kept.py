"""A bound method that is bound to a name first is one body."""

import jax
import jax.numpy as jnp


class Cell:
    def __init__(self, w):
        self.w = w

    def step(self, h, x):  # traced: 1
        return jnp.tanh(self.w * h + x), None


cell = Cell(0.5)
step = cell.step
for _ in range(3):
    jax.lax.scan(step, jnp.float32(0), jnp.ones(4))
