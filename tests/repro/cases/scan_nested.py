import jax
import jax.numpy as jnp
from jax import lax


def case(x, w):
    def outer(c, row):
        def middle(d, t):
            def inner(e, _):
                # fault: e @ jnp.ones(11)
                return e * w + t, e.sum() + c.sum()

            return lax.scan(inner, d, None, length=2, unroll=2)

        d, ys = lax.scan(middle, c, row, reverse=True)
        return d * 0.1, ys

    return lax.scan(outer, jnp.zeros(3), x)


result = jax.jit(case)(jnp.linspace(0.0, 1.0, 4).reshape(2, 2), jnp.linspace(1.0, 2.0, 3))
