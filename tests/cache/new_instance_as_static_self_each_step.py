"""A new instance at each step is a new static self."""

from functools import partial

import jax


class Model:
    @partial(jax.jit, static_argnums=0)
    def apply(self, x):  # traced: 3
        return x + 1


kept = []
for _ in range(3):
    kept.append(Model())
    kept[-1].apply(1.0)
