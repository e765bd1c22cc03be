"""A mapped scan whose body is known."""

import jax
import jax.numpy as jnp


def body(c, x):  # traced: 1
    return c + x, c


def run(xs):  # traced: 2
    return jax.lax.scan(body, jnp.float32(0), xs)[0]


run(jnp.ones(3))
jax.vmap(run)(jnp.ones((2, 3)))
jax.jit(jax.vmap(run))(jnp.ones((2, 3)))
