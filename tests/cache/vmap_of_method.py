"""A map over a method, jitted in three ways."""

import jax
import jax.numpy as jnp


class Model:
    def apply(self, x):  # traced: 3
        return x * 2


model = Model()
x = jnp.ones((2, 3))
for _ in range(2):
    jax.vmap(model.apply)(x)
kept = jax.jit(jax.vmap(model.apply))
for _ in range(2):
    kept(x)
