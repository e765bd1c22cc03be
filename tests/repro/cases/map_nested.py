import jax
import jax.numpy as jnp
from jax import lax


def case(x, w):
    def outer(row):
        def middle(a):
            def inner(b):
                # fault: b @ jnp.ones(11)
                return b * w + row.sum()

            return jax.grad(inner)(a)

        return lax.map(middle, row)

    return lax.map(outer, x)


result = jax.jit(case)(jnp.linspace(0.1, 1.0, 6).reshape(2, 3), 2.0)
