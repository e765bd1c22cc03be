"""A counted loop whose bound is traced."""

import jax


def body(i, x):  # traced: 2
    return x * 2


@jax.jit
def f(n, x):  # traced: 1
    return jax.lax.fori_loop(0, n, body, x)


f(3, 1.0)
f(4, 1.0)
jax.lax.fori_loop(0, 3, body, 1.0)
