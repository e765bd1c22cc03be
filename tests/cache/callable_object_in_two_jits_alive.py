"""Two objects without equality that live."""

import jax
import jax.numpy as jnp


class Shift:
    def __init__(self, by):
        self.by = by

    def __call__(self, x):  # traced: 2
        return x + self.by


shifts = [Shift(1.0), Shift(1.0)]
for _ in range(2):
    for shift in shifts:
        jax.jit(shift)(jnp.ones(2))
