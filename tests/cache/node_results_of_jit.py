"""What a compiled function gives is taken apart twice while it is traced, and its arguments are made once."""

import jax
import jax.numpy as jnp


class Pair:
    def __init__(self, a, b):  # traced: 4
        self.a, self.b = a, b


def apart(pair):  # traced: 4
    return (pair.a, pair.b), None


def together(_, parts):  # traced: 2
    return Pair(*parts)


jax.tree_util.register_pytree_node(Pair, apart, together)


@jax.jit
def step(pair):  # traced: 2
    return Pair(pair.a + 1, pair.b)


for size in (3, 4):
    pair = step(step(Pair(jnp.ones(size), jnp.ones(size))))
