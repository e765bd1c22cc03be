"""Bound methods of one object are equal."""

from functools import partial

import jax


class Model:
    def forward(self, x):  # traced: 2
        return x * 2


@partial(jax.jit, static_argnums=0)
def apply(f, x):  # traced: 2
    return f(x)


model = Model()
apply(model.forward, 1.0)
apply(model.forward, 2.0)
apply(Model().forward, 1.0)
