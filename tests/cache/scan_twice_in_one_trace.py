"""One body in two scans of one trace."""

import jax
import jax.numpy as jnp


def body(carry, x):  # traced: 2
    return carry + x, x


@jax.jit
def run(xs):  # traced: 1
    total, _ = jax.lax.scan(body, 0.0, xs)
    again, _ = jax.lax.scan(body, 0.0, xs)
    other, _ = jax.lax.scan(body, jnp.zeros(2), jnp.ones((3, 2)))
    return total + again + other.sum()


run(jnp.ones(3))
