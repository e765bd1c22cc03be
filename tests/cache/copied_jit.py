"""A shallow copy of a jitted function shares its traces."""

import copy

import jax


def f(x):  # traced: 2
    return x + 1


jitted = jax.jit(f)
again = copy.copy(jitted)
jitted(1.0)
again(1.0)
again(2)
jitted(2)
