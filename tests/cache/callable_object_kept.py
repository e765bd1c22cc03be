"""A callable object is a function by its identity."""

import jax
import jax.numpy as jnp


class Affine:
    def __init__(self, w):
        self.w = w

    def __call__(self, x):  # traced: 1
        return self.w * x + 1.0


affine = Affine(3.0)
jax.jit(affine)(jnp.ones(3))
jax.jit(affine)(jnp.ones(3))
