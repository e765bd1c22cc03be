"""A donating function inside of another trace."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def inner(x):  # traced: 1
    return x + 1


@jax.jit
def outer(x):  # traced: 1
    y = inner(x)
    return inner(y) + y


outer(jnp.ones(2))
inner(jnp.ones(2))
