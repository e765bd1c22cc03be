import jax
import jax.numpy as jnp
from jax import lax


def case(x, limit):
    def outer(v):
        def unfinished(s):
            return s[0] < limit

        def body(s):
            def inner(t):
                # fault: t @ jnp.ones(11)
                return t * 1.5 + v.sum()

            return s[0] + 1, lax.while_loop(lambda t: t.sum() < 3.0 + s[0], inner, s[1])

        return lax.while_loop(unfinished, body, (0, v))

    return jax.vmap(outer)(x)


result = jax.jit(case)(jnp.linspace(0.1, 1.0, 6).reshape(2, 3), 3)
