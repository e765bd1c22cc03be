"""A scan below a gradient, jitted and not."""

import jax
import jax.numpy as jnp


def body(carry, x):  # traced: 1
    return jnp.sin(carry) * x, None


def loss(c, xs):  # traced: 3
    return jax.lax.scan(body, c, xs)[0]


xs = jnp.ones(3)
jax.grad(loss)(1.0, xs)
jax.grad(loss)(1.0, xs)
jax.jit(jax.grad(loss))(1.0, xs)
