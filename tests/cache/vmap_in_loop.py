"""Maps made in a loop over a jitted and a plain function."""

import jax
import jax.numpy as jnp


@jax.jit
def jitted(x):  # traced: 1
    return x + 1


def plain(x):  # traced: 3
    return x + 1


for _ in range(3):
    jax.vmap(jitted)(jnp.ones((2, 3)))
    jax.vmap(plain)(jnp.ones((2, 3)))
