"""A jitted method with static self is traced per instance."""

from functools import partial

import jax
import jax.numpy as jnp


class Model:
    def __init__(self, w):
        self.w = w

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):  # traced: 2
        return x * self.w


a, b = Model(1.0), Model(2.0)
for model in (a, b, a, b):
    model.apply(jnp.ones(2))
