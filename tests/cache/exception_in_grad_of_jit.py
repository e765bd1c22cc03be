"""A gradient that is refused leaves the trace of the jitted function behind."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 2
    return x * 2


for _ in range(2):
    try:
        jax.grad(f)(jnp.ones(2))
    except TypeError:
        pass
jax.grad(f)(1.0)
f(jnp.ones(2))
