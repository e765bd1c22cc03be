"""`jax.eval_shape` of partials made anew."""

from functools import partial

import jax
import jax.numpy as jnp


def init(key, n):  # traced: 3
    return jnp.zeros(n)


for _ in range(3):
    jax.eval_shape(partial(init, n=3), jax.random.key(0))
