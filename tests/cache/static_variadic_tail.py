"""Static numbers that reach into *args."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=(1, 2))
def f(x, *sizes):  # traced: 2
    return x + jnp.zeros(sizes)


f(1.0, 2, 3)
f(1.0, 3, 2)
f(1.0, 2, 3)
