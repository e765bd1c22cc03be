from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


@partial(lax.composite, name="my.tangent", version=1)
def tangent(a):
    # fault: a @ jnp.ones(11)
    return jnp.sin(a) / jnp.cos(a)


def case(x):
    def outer(v):
        def inner(k):
            return tangent(v * k) + x.sum()

        return lax.map(inner, jnp.arange(2.0))

    return jax.jit(outer)(x)


result = case(jnp.linspace(0.1, 0.5, 3))
