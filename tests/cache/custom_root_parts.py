"""The parts of an implicit root are traced inside of it."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 1
    return x * x - 2.0


def solve(f, x0):  # traced: 2
    return jax.lax.fori_loop(0, 5, lambda i, x: x - f(x) / (2 * x), x0)


def tangent_solve(g, y):  # traced: 2
    return y / g(1.0)


for _ in range(2):
    jax.lax.custom_root(f, jnp.float32(1), solve, tangent_solve)
