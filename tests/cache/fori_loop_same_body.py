"""A counted loop remembers its body."""

import jax


def body(i, x):  # traced: 2
    return x + i


for _ in range(3):
    jax.lax.fori_loop(0, 5, body, 0)
jax.lax.fori_loop(0, 7, body, 0)
jax.lax.fori_loop(0, 5, body, 0.0)
