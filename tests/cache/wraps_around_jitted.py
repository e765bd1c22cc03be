"""A plain wrapper around a jitted function changes nothing."""

import functools

import jax
import jax.numpy as jnp


def logged(f):
    @functools.wraps(f)
    def inner(*args):
        return f(*args)

    return inner


@logged
@jax.jit
def cube(x):  # traced: 2
    return x ** 3


cube(2.0)
cube(3.0)
cube(jnp.ones(2))
