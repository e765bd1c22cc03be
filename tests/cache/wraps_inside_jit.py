"""A wrapper under the jit is traced with the function it wraps."""

import functools

import jax
import jax.numpy as jnp


def logged(f):
    @functools.wraps(f)
    def inner(*args):  # traced: 2
        return f(*args)

    return inner


@jax.jit
@logged
def cube(x):  # traced: 2
    return x ** 3


cube(2.0)
cube(3.0)
cube(jnp.ones(2))
