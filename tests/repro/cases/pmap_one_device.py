import jax
import jax.numpy as jnp
from jax import lax


def case(x, w):
    def each(a):
        def row(b):
            def cell(c):
                # fault: c @ jnp.ones(11)
                return c * b.sum() + w

            return jax.vmap(cell)(b)

        return lax.psum(jax.vmap(row)(a), "d")

    return jax.pmap(each, axis_name="d")(x)


result = case(jnp.linspace(0.0, 1.0, 6).reshape(1, 2, 3), 2.0)
