"""A body that closes over the argument of a jit."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 2
    def body(i, total):  # traced: 2
        return total + x[i]

    return jax.lax.fori_loop(0, 3, body, 0.0)


f(jnp.ones(3))
f(jnp.ones(3))
f(jnp.ones(4))
