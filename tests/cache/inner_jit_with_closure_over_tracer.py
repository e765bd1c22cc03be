"""An inner compiled function that closes over a tracer."""

import jax
import jax.numpy as jnp


@jax.jit
def outer(x):  # traced: 2
    @jax.jit
    def inner(y):  # traced: 4
        return x * y
    return inner(1.0) + inner(2.0) + inner(jnp.float32(3.0))


outer(jnp.ones(2))
outer(jnp.ones(2))
outer(jnp.ones(3))
