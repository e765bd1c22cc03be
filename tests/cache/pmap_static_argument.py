"""pmap with a static argument: equal values of one type share a trace."""
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.pmap, static_broadcasted_argnums=1)
def f(x, n):  # traced: 3
    return x * n


for n in (3, 3, 4, 3, 3.0):
    f(jnp.ones((1, 2)), n)


@partial(jax.pmap, static_broadcasted_argnums=(0,))
def g(of, x):  # traced: 2
    return of(x)


for _ in range(2):
    g(lambda x: x + 1, jnp.ones((1, 2)))
