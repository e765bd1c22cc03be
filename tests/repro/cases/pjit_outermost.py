import jax
import jax.numpy as jnp
from jax.experimental.pjit import pjit


def case(x, y):
    def row(a):
        def cell(b):
            # fault: (b + a.sum()) @ jnp.ones(11)
            return b * a.sum() + y[0]

        return pjit(jax.vmap(cell))(a)

    return jax.vmap(row)(x)


result = pjit(case)(jnp.linspace(-1.0, 1.0, 6).reshape(2, 3), jnp.ones(2) * 3.0)
