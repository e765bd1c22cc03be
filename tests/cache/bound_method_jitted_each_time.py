"""A jit of a bound method that is thrown away is traced again."""

import jax
import jax.numpy as jnp


class Layer:
    def __init__(self, w):
        self.w = w

    def apply(self, x):  # traced: 3
        return self.w * x


layer = Layer(2.0)
for _ in range(3):
    jax.jit(layer.apply)(jnp.ones(3))
