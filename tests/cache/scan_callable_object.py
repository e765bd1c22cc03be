"""The body of a scan is an object that can be called."""

import jax
import jax.numpy as jnp


class Cell:
    def __init__(self, w):
        self.w = w

    def __call__(self, h, x):  # traced: 3
        return self.w * h + x, None


cell = Cell(0.5)
start = jnp.float32(0)
for _ in range(3):
    jax.lax.scan(cell, start, jnp.ones(4))
for _ in range(2):
    jax.lax.scan(Cell(0.5), start, jnp.ones(4))
