"""`lax.map` over a method, looked up each time."""

import jax
import jax.numpy as jnp


class Model:
    def apply(self, x):  # traced: 3
        return x * 2


model = Model()
for _ in range(3):
    jax.lax.map(model.apply, jnp.ones((4, 2)))
