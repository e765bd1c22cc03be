"""While one jit of a bound method lives, further ones share its traces."""

import jax
import jax.numpy as jnp


class Layer:
    def __init__(self, w):
        self.w = w

    def apply(self, x):  # traced: 1
        return self.w * x


layer = Layer(2.0)
apply = jax.jit(layer.apply)
apply(jnp.ones(3))
apply(jnp.ones(3))
jax.jit(layer.apply)(jnp.ones(3))
