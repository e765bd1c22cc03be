"""A NaN that stays the same object is the same static argument, though it is not equal to itself."""

import math
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

missing = float("nan")


@partial(jax.jit, static_argnums=1)
def f(x, fill):  # traced: 1
    return jnp.where(x > 0, x, fill)


@partial(jax.jit, static_argnums=1)
def g(x, fill):  # traced: 2
    return jnp.where(x > 0, x, fill)


@partial(jax.jit, static_argnames="fill")
def h(x, fill=np.nan):  # traced: 1
    return jnp.where(x > 0, x, fill)


for _ in range(3):
    f(jnp.ones(2), missing)
    f(jnp.ones(2), float(missing))

for nan in [np.nan, jnp.nan, math.nan, math.nan]:
    g(jnp.ones(2), nan)

for _ in range(3):
    h(jnp.ones(2))
