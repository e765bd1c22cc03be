"""Branches that are kept, under two compiled functions."""

import jax
import jax.numpy as jnp


def up(x):  # traced: 1
    return x + 1


def down(x):  # traced: 1
    return x - 1


@jax.jit
def a(p, x):  # traced: 1
    return jax.lax.cond(p, up, down, x)


@jax.jit
def b(p, x):  # traced: 1
    return jax.lax.cond(p, down, up, x) * 2


for p in (True, False):
    a(p, jnp.ones(2))
    b(p, jnp.ones(2))
jax.lax.cond(True, up, down, jnp.ones(2))
