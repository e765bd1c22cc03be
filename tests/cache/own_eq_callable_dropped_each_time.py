"""An equal callable object with an `__eq__` of its own starts anew once the first one is gone."""

import jax
import jax.numpy as jnp


class Affine:
    def __init__(self, w):
        self.w = w

    def __eq__(self, other):
        return isinstance(other, Affine) and self.w == other.w

    def __hash__(self):
        return hash(self.w)

    def __call__(self, x):  # traced: 3
        return self.w * x + 1.0


for _ in range(3):
    jax.jit(Affine(3.0))(jnp.ones(3))
