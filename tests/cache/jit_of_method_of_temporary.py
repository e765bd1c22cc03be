"""A method of an object that lives only for the call."""

import jax
import jax.numpy as jnp


class Model:
    def __init__(self, w):
        self.w = w

    def apply(self, x):  # traced: 3
        return x * self.w


for w in (1.0, 1.0, 2.0):
    jax.jit(Model(w).apply)(jnp.ones(2))
