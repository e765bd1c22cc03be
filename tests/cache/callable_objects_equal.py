"""Callable objects that are equal and hash alike share their traces."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Affine:
    w: float

    def __call__(self, x):  # traced: 2
        return self.w * x + 1.0


kept = [Affine(3.0), Affine(3.0), Affine(4.0)]
for affine in kept:
    jax.jit(affine)(jnp.ones(3))
