"""A jitted function that uses the name of a mapped axis."""

import jax
import jax.numpy as jnp


@jax.jit
def center(x):  # traced: 2
    return x - jax.lax.pmean(x, "batch")


x = jnp.ones((4, 3))
jax.vmap(center, axis_name="batch")(x)
jax.vmap(center, axis_name="batch")(x)
jax.vmap(center, axis_name="batch")(jnp.ones((5, 3)))
