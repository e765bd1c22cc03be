"""The same lambda, bound to a name first."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=0)
def apply(f, x):  # traced: 1
    return f(x)


plus = lambda v: v + 1
for _ in range(3):
    apply(plus, jnp.ones(2))
