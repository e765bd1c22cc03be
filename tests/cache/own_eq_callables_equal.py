"""Callable objects with an `__eq__` of their own that live share their traces."""

import jax
import jax.numpy as jnp


class Affine:
    def __init__(self, w):
        self.w = w

    def __eq__(self, other):
        return isinstance(other, Affine) and self.w == other.w

    def __hash__(self):
        return hash(self.w)

    def __call__(self, x):  # traced: 2
        return self.w * x + 1.0


kept = [Affine(3.0), Affine(3.0), Affine(4.0)]
for affine in kept:
    jax.jit(affine)(jnp.ones(3))
