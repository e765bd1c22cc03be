"""A keyword bound by a partial around the compiled function."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="mode")
def f(x, mode="a", scale=1.0):  # traced: 3
    return x * scale if mode == "a" else -x * scale


a = partial(f, mode="a")
b = partial(f, mode="b", scale=2.0)
for _ in range(2):
    a(jnp.ones(2))
    b(jnp.ones(2))
f(jnp.ones(2), mode="a")
f(jnp.ones(2), "a")
