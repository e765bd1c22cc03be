"""Instances of one class whose methods share a module's jitted function."""

import jax
import jax.numpy as jnp


@jax.jit
def forward(w, x):  # traced: 2
    return jnp.tanh(w * x)


class Model:
    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        return forward(self.w, x)


for model in [Model(0.1), Model(0.2), Model(jnp.ones(3))]:
    model(jnp.ones(3))
