"""A jitted closure kept by cached_property is made once per instance."""

from functools import cached_property

import jax
import jax.numpy as jnp


class Sim:
    def __init__(self, dt):
        self.dt = dt

    @cached_property
    def step(self):
        @jax.jit
        def go(x):  # traced: 2
            return x + self.dt

        return go


sim = Sim(0.1)
x = jnp.zeros(2)
for _ in range(4):
    x = sim.step(x)
Sim(0.2).step(x)
