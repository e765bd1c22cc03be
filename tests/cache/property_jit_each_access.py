"""A property that jits a closure makes a function at each access."""

import jax
import jax.numpy as jnp


class Sim:
    def __init__(self, dt):
        self.dt = dt

    @property
    def step(self):
        def go(x):  # traced: 3
            return x + self.dt

        return jax.jit(go)


sim = Sim(0.1)
x = jnp.zeros(2)
for _ in range(3):
    x = sim.step(x)
