"""Keywords by a dictionary, ordered otherwise."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x, **options):  # traced: 3
    return x * options["a"] + options["b"]


first = {"a": 1.0, "b": 2.0}
second = dict(reversed(first.items()))
f(jnp.ones(2), **first)
f(jnp.ones(2), **second)
f(jnp.ones(2), b=1.0, a=1.0)
f(x=jnp.ones(2), a=1.0, b=1.0)
f(jnp.ones(2), a=1, b=1.0)
