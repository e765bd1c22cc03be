"""Branches inside of a jit are traced with the whole."""

import jax
import jax.numpy as jnp


def up(x):  # traced: 2
    return x + 1


def down(x):  # traced: 2
    return x - 1


@jax.jit
def f(x):  # traced: 2
    return jax.lax.cond(x.sum() > 0, up, down, x)


f(jnp.ones(2))
f(-jnp.ones(2))
f(jnp.ones(3))
