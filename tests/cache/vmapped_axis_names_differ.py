"""The names of mapped axes around a call are part of its key."""

import jax
import jax.numpy as jnp


@jax.jit
def plain(x):  # traced: 3
    return x * 2


jax.vmap(plain, axis_name="i")(jnp.ones((4, 3)))
jax.vmap(plain)(jnp.ones((4, 3)))
jax.vmap(plain, axis_name="j")(jnp.ones((4, 3)))
plain(jnp.ones(3))
