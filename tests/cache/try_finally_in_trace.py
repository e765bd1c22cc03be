"""A finally inside of a trace runs with it."""

import jax

depth = []


@jax.jit
def f(x, n=3):  # traced: 2
    depth.append(1)
    try:
        return x * len(depth)
    finally:
        depth.pop()


f(1.0)
f(2.0)
f(1.0, 2)
