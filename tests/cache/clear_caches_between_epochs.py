"""All traces are forgotten between epochs, or only one function's."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 4
    return x + 1


@jax.jit
def g(x):  # traced: 3
    return f(x) * 2


for epoch in range(2):
    f(jnp.ones(2))
    g(jnp.ones(2))
    jax.clear_caches()
g(jnp.ones(2))
f.clear_cache()
f(jnp.ones(2))
g(jnp.ones(2))
