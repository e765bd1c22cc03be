"""Objects that hash and compare by what they are."""

import jax
import jax.numpy as jnp


class Scale:
    def __init__(self, w):
        self.w = w

    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return id(self)

    def __call__(self, x):  # traced: 2
        return self.w * x


scales = [Scale(2.0), Scale(2.0)]
for _ in range(2):
    for scale in scales:
        jax.jit(scale)(jnp.ones(2))
