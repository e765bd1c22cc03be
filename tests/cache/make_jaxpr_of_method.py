"""Graphs of a method that is looked up each time."""

import jax


class Model:
    def apply(self, x):  # traced: 3
        return x * 2


model = Model()
for _ in range(3):
    jax.make_jaxpr(model.apply)(1.0)
