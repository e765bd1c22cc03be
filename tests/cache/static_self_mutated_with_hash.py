"""A static self that is changed in place finds its trace, whatever its hash says now."""

from functools import partial

import jax


class Model:
    def __init__(self, scale):
        self.scale = scale

    def __hash__(self):
        return hash(self.scale)

    def __eq__(self, other):
        return self.scale == other.scale

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):  # traced: 1
        return x * self.scale


model = Model(1.0)
model.apply(2.0)
model.scale = 2.0
model.apply(2.0)
Model(2.0).apply(2.0)
