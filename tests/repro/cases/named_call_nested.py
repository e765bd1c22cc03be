from functools import partial

import jax
import jax.numpy as jnp


def case(x):
    @partial(jax.named_call, name="outer")
    def outer(a):
        def middle(b):
            @jax.named_call
            def inner(c):
                # fault: c @ jnp.ones(11)
                return c * a.sum() + b

            return inner(b)

        return jax.vmap(middle)(a)

    return jax.jit(outer)(x) + outer(x)


result = case(jnp.linspace(1.0, 2.0, 3))
