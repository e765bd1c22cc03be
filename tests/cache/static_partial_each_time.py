"""A partial as a static argument compares by identity."""

from functools import partial

import jax


def scale(k, x):  # traced: 2
    return k * x


@partial(jax.jit, static_argnums=0)
def apply(f, x):  # traced: 2
    return f(x)


triple = partial(scale, 3)
apply(triple, 1.0)
apply(triple, 1.0)
apply(partial(scale, 3), 1.0)
