import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental.pjit import pjit


def case(x):
    def body(c, row):
        @pjit
        def inner(r):
            def square(v):
                # fault: v @ jnp.ones(11)
                return (v * c).sum() + x[0, 0]

            return jax.grad(square)(r)

        new = c + inner(row)
        return new, new.sum()

    return lax.scan(body, jnp.zeros(3), x)


result = case(jnp.linspace(-1.0, 1.0, 12).reshape(4, 3))
