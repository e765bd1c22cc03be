"""A carry that changes its type has the body traced for both types, and shared."""

import jax
import jax.numpy as jnp


def body(carry, x):  # traced: 3
    return carry + x, None


jax.lax.scan(body, 0, jnp.ones(3))
jax.lax.scan(body, 0.0, jnp.ones(3))
jax.lax.scan(body, jnp.float32(0), jnp.ones(3))
