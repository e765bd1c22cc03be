"""A jit around a map runs the function once per type of the whole."""

import jax
import jax.numpy as jnp


def f(x):  # traced: 2
    return jnp.sin(x) * 2


mapped = jax.jit(jax.vmap(f))
for n in (4, 5, 4):
    mapped(jnp.ones((n, 3)))
