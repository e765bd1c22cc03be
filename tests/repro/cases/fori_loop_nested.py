import jax
import jax.numpy as jnp
from jax import lax


def case(x, n):
    def outer(v):
        def body(i, c):
            def inner(j, d):
                # fault: d @ jnp.ones(11)
                return d * 0.5 + i * v + j

            return lax.fori_loop(0, 3, inner, c)

        return lax.fori_loop(1, n, body, v)

    return jax.vmap(outer)(x)


result = jax.jit(case)(jnp.linspace(0.1, 1.0, 6).reshape(2, 3), 4)
