"""An argument whose class is static as a tree is part of the structure."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp


@jax.tree_util.register_static
@dataclass(frozen=True)
class Options:
    order: int


@jax.jit
def f(x, options):  # traced: 3
    return x ** options.order


for order in (1, 2, 1, 2, 3):
    f(jnp.ones(2), Options(order))
