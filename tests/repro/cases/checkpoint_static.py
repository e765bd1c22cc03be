from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


def case(x):
    def outer(y):
        @partial(jax.checkpoint, static_argnums=(1,), prevent_cse=False)
        def block(h, times):
            def step(_, a):
                # fault: a @ jnp.ones(11)
                return jnp.sin(a) * y

            return lax.fori_loop(0, times, step, h)

        return jax.grad(lambda h: block(h, 3).sum())(y)

    return jax.vmap(outer)(x)


result = case(jnp.linspace(0.0, 1.0, 6).reshape(2, 3))
