"""Methods of two frozen dataclasses that are equal are two functions."""

from dataclasses import dataclass

import jax


@dataclass(frozen=True)
class Scale:
    k: float

    def apply(self, x):  # traced: 2
        return x * self.k


a, b = Scale(2.0), Scale(2.0)
first = jax.jit(a.apply)
first(1.0)
second = jax.jit(b.apply)
second(1.0)
