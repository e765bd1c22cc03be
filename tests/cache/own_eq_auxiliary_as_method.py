"""A registered class whose auxiliary data is the object that it was made of."""

import jax
import jax.numpy as jnp


class Grid:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.n == other.n

    def __hash__(self):
        return 0


@jax.tree_util.register_static
class Static(Grid):
    pass


@jax.jit
def f(x, grid):  # traced: 2
    return jnp.broadcast_to(x, (grid.n,))


for n in (2, 2, 3, 2):
    f(1.0, Static(n))
