from functools import partial

import jax
import jax.numpy as jnp


def case(x):
    def outer(v):
        @partial(jnp.vectorize, excluded=(1,))
        def power(a, n):
            # fault: a @ jnp.ones(11)
            return a**n + v.sum()

        return power(v, 3)

    return jax.vmap(jax.jit(outer))(x)


result = case(jnp.linspace(0.1, 0.5, 6).reshape(2, 3))
