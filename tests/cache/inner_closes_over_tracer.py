"""A nested function that closes over a tracer is a new function per trace."""

import jax
import jax.numpy as jnp


@jax.jit
def outer(x):  # traced: 2
    @jax.jit
    def inner(y):  # traced: 3
        return x * y

    return inner(1.0) + inner(2.0) + inner(x)


outer(3.0)
outer(4.0)
outer(jnp.ones(2))
