"""A static self that is mutated keeps its trace."""

from functools import partial

import jax


class Model:
    def __init__(self, w):
        self.w = w

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):  # traced: 2
        return x * self.w


model = Model(1.0)
model.apply(2.0)
model.w = 5.0
model.apply(2.0)
model.apply(2)
