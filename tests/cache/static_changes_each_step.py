"""A step number that is static traces at each step."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=1)
def step(w, i):  # traced: 5
    return w * (0.9 ** i)


w = jnp.ones(2)
for i in range(5):
    w = step(w, i)
