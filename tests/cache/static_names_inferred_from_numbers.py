"""Given by number in the decorator, by name in the call."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=1)
def f(x, n):  # traced: 4
    return jnp.zeros(n) + x


f(1.0, 3)
f(1.0, n=3)
f(1.0, n=4)
f(1.0, 4)
