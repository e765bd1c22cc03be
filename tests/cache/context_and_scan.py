"""A scan under another precision traces its body again."""

import jax
import jax.numpy as jnp


def body(c, x):  # traced: 2
    return c @ c, None


c, xs = jnp.ones((2, 2)), jnp.ones(3)
jax.lax.scan(body, c, xs)
with jax.default_matmul_precision("highest"):
    jax.lax.scan(body, c, xs)
    jax.lax.scan(body, c, xs)
jax.lax.scan(body, c, xs)
