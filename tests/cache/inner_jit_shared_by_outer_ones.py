"""One inner function under several outer ones, same types."""

import jax
import jax.numpy as jnp


@jax.jit
def helper(x):  # traced: 2
    return jnp.tanh(x)


@jax.jit
def a(x):  # traced: 1
    return helper(x) + helper(x * 2)


@jax.jit
def b(x):  # traced: 1
    return helper(x.sum(0))


@jax.jit
def c(x):  # traced: 1
    return a(x) + b(x)


x = jnp.ones((2, 3))
for f in (a, b, c):
    f(x)
helper(x)
helper(x[0])
