"""One hash for objects that are not equal."""

import jax
import jax.numpy as jnp


class Scale:
    def __init__(self, w):
        self.w = w

    def __eq__(self, other):
        return type(other) is Scale and self.w == other.w

    def __hash__(self):
        return 7

    def __call__(self, x):  # traced: 2
        return self.w * x


scales = [Scale(2.0), Scale(3.0), Scale(2.0)]
for _ in range(2):
    for scale in scales:
        jax.jit(scale)(jnp.ones(2))
