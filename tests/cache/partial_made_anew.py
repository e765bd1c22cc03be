"""Equal partials are different functions."""

from functools import partial

import jax
import jax.numpy as jnp


def scaled(k, x):  # traced: 3
    return k * x


for _ in range(3):
    jax.jit(partial(scaled, 3.0))(jnp.ones(2))
