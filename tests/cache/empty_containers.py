"""Empty containers differ from each other and from None."""

import jax


@jax.jit
def f(x, extra):  # traced: 4
    return x + len(jax.tree.leaves(extra))


for extra in ((), [], {}, None, (), {}):
    f(1.0, extra)
