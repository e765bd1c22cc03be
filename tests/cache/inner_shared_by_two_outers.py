"""An inner jitted function is traced once per type, not per caller."""

import jax
import jax.numpy as jnp


@jax.jit
def inner(x):  # traced: 2
    return jnp.tanh(x)


@jax.jit
def first(x):  # traced: 1
    return inner(x) + 1


@jax.jit
def second(x):  # traced: 2
    return inner(x) * inner(x)


first(jnp.ones(2))
second(jnp.ones(2))
inner(jnp.ones(2))
second(jnp.ones(3))
