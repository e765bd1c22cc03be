from functools import partial

import jax
import jax.numpy as jnp


def case(x, w):
    @partial(jnp.vectorize, signature="(n),(n)->()")
    def dot(a, b):
        def cell(c, d):
            # fault: c @ jnp.ones(11)
            return c * d + w.sum() * 0.0

        return jax.vmap(cell)(a, b).sum()

    def loss(v):
        return dot(x, v).sum()

    return jax.grad(loss)(w)


result = jax.jit(case)(jnp.linspace(0.1, 0.5, 6).reshape(2, 3), jnp.linspace(1.0, 2.0, 3))
