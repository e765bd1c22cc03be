"""A higher-order maker jits what it is given: the same function shares."""

import jax
import jax.numpy as jnp


def run(f, x):
    return jax.jit(f)(x)


def double(x):  # traced: 1
    return 2 * x


def half(x):  # traced: 1
    return x / 2


for f in (double, half, double, half):
    run(f, jnp.ones(2))
