"""Each instance jits its own method once."""

import jax
import jax.numpy as jnp


class Model:
    def __init__(self, w):
        self.w = w
        self.step = jax.jit(self._step)

    def _step(self, x):  # traced: 2
        return x * self.w


a, b = Model(1.0), Model(2.0)
for _ in range(3):
    a.step(jnp.ones(2))
    b.step(jnp.ones(2))
