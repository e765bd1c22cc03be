"""Where the brackets are is part of the structure."""

import jax


@jax.jit
def total(xs):  # traced: 3
    return sum(jax.tree.leaves(xs))


total(((1.0, 2.0), 3.0))
total((1.0, (2.0, 3.0)))
total((1.0, 2.0, 3.0))
total(((4.0, 5.0), 6.0))
