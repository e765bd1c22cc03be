"""A jitted function inside of pmap is traced for the mesh around it."""
from functools import partial

import jax
import jax.numpy as jnp


@jax.jit
def inner(x):  # traced: 4
    return x * 2


@jax.pmap
def f(x):  # traced: 2
    return inner(x) + inner(x)


@partial(jax.pmap, axis_name="q")
def g(x):  # traced: 1
    return inner(x)


f(f(jnp.ones((1, 2))))
inner(jnp.ones(2))
inner(jnp.ones((1, 2)))
g(jnp.ones((1, 2)))
