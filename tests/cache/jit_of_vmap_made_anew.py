"""jit of a map made anew in a loop over one function."""

import jax
import jax.numpy as jnp


def f(x):  # traced: 3
    return x * 2


for _ in range(3):
    jax.jit(jax.vmap(f))(jnp.ones((2, 3)))
