"""Methods of two instances are two functions."""

import jax
import jax.numpy as jnp


class Layer:
    def __init__(self, w):
        self.w = w

    def apply(self, x):  # traced: 3
        return self.w * x


layers = [jax.jit(Layer(float(k)).apply) for k in range(3)]
x = jnp.ones(3)
for _ in range(2):
    for apply in layers:
        x = apply(x)
