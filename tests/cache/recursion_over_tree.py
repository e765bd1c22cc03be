"""A function jitted once, recursing over the structure."""

import jax


@jax.jit
def total(tree):  # traced: 5
    if isinstance(tree, (list, tuple)):
        return sum(total(t) for t in tree)
    return tree


total([1.0, [2.0, 3.0], [4.0]])
total([1.0, [2.0, 3.0]])
