"""One partial, jitted twice, is one function."""

from functools import partial

import jax
import jax.numpy as jnp


def scaled(k, x):  # traced: 1
    return k * x


triple = partial(scaled, 3.0)
jax.jit(triple)(jnp.ones(2))
jax.jit(triple)(jnp.ones(2))
