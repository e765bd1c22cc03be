"""One trace per shape, in whatever order they come."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 3
    return x.mean()


for n in (3, 4, 3, 5, 4, 3):
    f(jnp.zeros(n))
