"""A while loop whose carry changes its weakness."""

import jax
import jax.numpy as jnp


def running(x):  # traced: 3
    return x < 100


def double(x):  # traced: 3
    return x * jnp.float32(2)


jax.lax.while_loop(running, double, 1.0)
jax.lax.while_loop(running, double, 1)
jax.lax.while_loop(running, double, jnp.float32(1))
