"""Lambdas of a comprehension are functions of their own."""

import jax
import jax.numpy as jnp


def shifted(x, k):  # traced: 3
    return x + k


fs = [jax.jit(lambda x, k=k: shifted(x, k)) for k in range(3)]
for f in fs:
    f(jnp.ones(2))
for f in fs:
    f(jnp.ones(2))
