"""A switch that names a branch twice."""

import jax


def same(x):  # traced: 1
    return x + 1


def other(x):  # traced: 1
    return x - 1


@jax.jit
def f(i, x):  # traced: 1
    return jax.lax.switch(i, [same, other, same], x)


f(0, 1.0)
f(2, 1.0)
