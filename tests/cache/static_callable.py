"""A function as a static argument."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=0)
def apply(f, x):  # traced: 3
    return f(x)


def double(x):  # traced: 1
    return 2 * x


for f in (double, jnp.sin, double, jnp.sin, jnp.cos):
    apply(f, 1.0)
