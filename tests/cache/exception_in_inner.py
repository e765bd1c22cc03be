"""An inner function that raises, and the outer one that is tried again."""

import jax
import jax.numpy as jnp


@jax.jit
def inner(x, y):  # traced: 3
    return x @ y


@jax.jit
def outer(x, y):  # traced: 3
    return inner(x, y) + inner(x, x)


x = jnp.ones((2, 2))
for y in (jnp.ones(3), jnp.ones((2, 2)), jnp.ones(3)):
    try:
        outer(x, y)
    except TypeError:
        pass
