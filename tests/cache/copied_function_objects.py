"""Functions of one code object that are made anew."""

import types

import jax
import jax.numpy as jnp


def f(x):  # traced: 3
    return x + 1


def copied(f):
    return types.FunctionType(f.__code__, f.__globals__, f.__name__)


jax.jit(f)(jnp.ones(2))
jax.jit(copied(f))(jnp.ones(2))
g = copied(f)
jax.jit(g)(jnp.ones(2))
jax.jit(g)(jnp.ones(2))
