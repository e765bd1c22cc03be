"""Attributes of a function change nothing."""

import jax
import jax.numpy as jnp


def f(x):  # traced: 1
    return x * f.scale


f.scale = 2.0
jax.jit(f)(jnp.ones(2))
f.scale = 3.0
jax.jit(f)(jnp.ones(2))
g = jax.jit(f)
g(jnp.ones(2))
