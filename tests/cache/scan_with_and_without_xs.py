"""One body with scanned inputs, and with none."""

import jax
import jax.numpy as jnp


def body(c, x):  # traced: 2
    return c * 2 if x is None else c + x, None


jax.lax.scan(body, 1.0, None, length=3)
jax.lax.scan(body, 1.0, jnp.ones(3))
jax.lax.scan(body, 1.0, None, length=3)
jax.lax.scan(body, 1.0, jnp.ones(5))
jax.lax.scan(body, 1.0, jnp.ones(3), reverse=True)
