"""A trace that tries one way and takes another."""

import jax
import jax.numpy as jnp


@jax.jit
def product(x, y):  # traced: 2
    return x @ y


@jax.jit
def f(x, y):  # traced: 2
    try:
        return product(x, y)
    except TypeError:
        return product(x, y.T)


f(jnp.ones((2, 3)), jnp.ones((2, 3)))
f(jnp.ones((2, 3)), jnp.ones((2, 3)))
f(jnp.ones((2, 3)), jnp.ones((3, 2)))
