"""Without compilation the body runs each time."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 1
    return x * 2


f(jnp.ones(2))
with jax.disable_jit():
    f(jnp.ones(2))
    f(jnp.ones(2))
f(jnp.ones(2))
