from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=1)
def repeat(x, n):
    return jnp.tile(x, n)


@jax.jit
def outer(x, n):
    return repeat(x, n) + 1


repeat(jnp.ones(2), 3)
outer(jnp.ones(2), 3)
