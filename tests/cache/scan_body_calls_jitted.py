"""A jitted function inside of the body of a scan."""

import jax
import jax.numpy as jnp


@jax.jit
def cell(h, x):  # traced: 1
    return jnp.tanh(h + x)


def body(h, x):  # traced: 1
    h = cell(h, x)
    return h, h


h = jnp.zeros(2)
h, _ = jax.lax.scan(body, h, jnp.ones((3, 2)))
h, _ = jax.lax.scan(body, h, jnp.ones((4, 2)))
cell(h, h)
