"""What was traced outside is found inside."""

import jax
import jax.numpy as jnp


@jax.jit
def inner(x):  # traced: 1
    return jnp.tanh(x)


@jax.jit
def outer(x):  # traced: 1
    return inner(x) + inner(x * 2)


inner(jnp.ones(2))
outer(jnp.ones(2))
