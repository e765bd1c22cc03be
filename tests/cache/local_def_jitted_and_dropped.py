"""A local function that is dropped and made again on the same line."""

import jax


def run(k):
    def f(x):  # traced: 3
        return x + k

    return jax.jit(f)(1.0) + jax.jit(f)(2.0)


for k in (1, 1, 2):
    run(k)
