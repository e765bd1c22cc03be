"""A context inside of an outer trace changes the key of the inner function."""

import jax
import jax.numpy as jnp


@jax.jit
def inner(a):  # traced: 2
    return a @ a


@jax.jit
def outer(a):  # traced: 1
    b = inner(a)
    with jax.default_matmul_precision("highest"):
        c = inner(a)
    return b + c + inner(a)


outer(jnp.ones((2, 2)))
outer(jnp.ones((2, 2)))
