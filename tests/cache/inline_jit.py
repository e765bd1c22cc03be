"""An inlined jit is traced once for all its callers."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, inline=True)
def inner(x):  # traced: 1
    return jnp.sin(x)


@jax.jit
def first(x):  # traced: 1
    return inner(x) + inner(x)


@jax.jit
def second(x):  # traced: 1
    return inner(x) * 2


first(1.0)
second(1.0)
inner(1.0)
