"""pmap of the same function shares its traces; other axis names are other meshes, and arrays remember them."""
from functools import partial

import jax
import jax.numpy as jnp


def f(x):  # traced: 2
    return x


for _ in range(3):
    jax.pmap(f)(jnp.ones((1, 2)))
    jax.pmap(f, axis_name="q")(jnp.ones((1, 2)))


@partial(jax.pmap, axis_name="j")
def g(x):  # traced: 3
    return x


g(jax.pmap(f)(jnp.ones((1, 2))))
g(g(jnp.ones((1, 2))))
