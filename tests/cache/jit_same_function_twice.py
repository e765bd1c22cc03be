"""Two jits of one function share its traces."""

import jax
import jax.numpy as jnp


def area(x):  # traced: 2
    return x * x * 3.0


first = jax.jit(area)
second = jax.jit(area)
first(jnp.ones(3))
second(jnp.ones(3))
second(jnp.ones(4))
first(jnp.ones(4))
