"""pmap over one device, called twice."""

import jax
import jax.numpy as jnp


def f(x):  # traced: 2
    return x * 2


mapped = jax.pmap(f)
for _ in range(2):
    mapped(jnp.ones((1, 3)))
mapped(jnp.ones((1, 2)))
