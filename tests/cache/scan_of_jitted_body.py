"""A jitted body of a scan, called beside it."""

import jax
import jax.numpy as jnp


@jax.jit
def body(carry, x):  # traced: 2
    return carry + x, carry * x


jax.lax.scan(body, 1.0, jnp.ones(3))
body(1.0, jnp.float32(1))
body(jnp.float32(1), jnp.float32(1))
jax.lax.scan(body, jnp.float32(1), jnp.ones(5))
