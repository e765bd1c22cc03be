import jax
import jax.numpy as jnp
from jax import lax


def case(x):
    def outer(v):
        def combine(a, b):
            def inner(c):
                # fault: c @ jnp.ones(11)
                return c * 2.0 + (a - a)

            return a + b + inner(0.0)

        return lax.reduce(v, 0.0, combine, (0,)) * v.sum()

    return jax.vmap(outer)(x)


result = jax.jit(case)(jnp.linspace(0.1, 0.5, 6).reshape(1, 3, 2))
