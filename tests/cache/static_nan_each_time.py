"""NaN is not equal to itself, unless it is the same object."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=1)
def f(x, fill):  # traced: 3
    return jnp.where(x > 0, x, fill)


for _ in range(3):
    f(jnp.ones(2), float("nan"))
