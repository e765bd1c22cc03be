"""`jnp.apply_along_axis` of a jitted function."""

import jax
import jax.numpy as jnp


@jax.jit
def f(row):  # traced: 2
    return row.sum()


x = jnp.ones((2, 3))
jnp.apply_along_axis(f, 1, x)
jnp.apply_along_axis(f, 0, x)
f(x[0])
