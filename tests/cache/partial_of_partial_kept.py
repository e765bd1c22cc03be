"""Partials of partials, kept and made anew."""

from functools import partial

import jax
import jax.numpy as jnp


def f(a, b, x):  # traced: 4
    return a * x + b


inner = partial(f, 1.0)
outer = partial(inner, 2.0)
jax.jit(outer)(jnp.ones(2))
jax.jit(outer)(jnp.ones(2))
jax.jit(partial(inner, 2.0))(jnp.ones(2))
jax.jit(partial(f, 1.0, 2.0))(jnp.ones(2))
jax.jit(inner)(2.0, jnp.ones(2))
