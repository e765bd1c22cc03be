"""Lambdas in a dict, called in two loops."""

import jax


def scaled(k, x):  # traced: 3
    return k * x


table = {k: jax.jit(lambda x, k=k: scaled(k, x)) for k in (1.0, 2.0)}
for k in (1.0, 2.0, 1.0):
    table[k](3.0)
table[1.0](3.0, 2.0)
