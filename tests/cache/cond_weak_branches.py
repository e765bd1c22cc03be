"""Branches whose results differ in weakness."""

import jax
import jax.numpy as jnp


def weak(x):  # traced: 2
    return 1.0


def strong(x):  # traced: 2
    return x * 2


@jax.jit
def f(x):  # traced: 2
    return jax.lax.cond(x > 0, weak, strong, x)


f(jnp.float32(1))
f(1.0)
