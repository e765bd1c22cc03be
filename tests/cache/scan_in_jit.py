"""A scan inside of a jit traces its body with the whole."""

import jax
import jax.numpy as jnp


def body(carry, x):  # traced: 1
    return carry * x, carry


@jax.jit
def run(xs):  # traced: 2
    return jax.lax.scan(body, 1.0, xs)


run(jnp.ones(3))
run(jnp.ones(3))
run(jnp.ones(4))
