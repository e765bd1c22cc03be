"""A scan outside of jit remembers the trace of its body."""

import jax
import jax.numpy as jnp


def body(carry, x):  # traced: 1
    return carry + x, carry


for _ in range(3):
    jax.lax.scan(body, 0.0, jnp.ones(4))
jax.lax.scan(body, 0.0, jnp.ones(5))
