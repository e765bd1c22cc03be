import jax
import jax.numpy as jnp
from jax import lax


def case(x):
    dimensions = lax.ScatterDimensionNumbers((0,), (0,), (0,))

    def loss(scale):
        def body(c, i):
            def put(op, u):
                # fault: u @ jnp.ones((11, 2))
                return op(c, i[None], u * scale, dimensions)

            row = put(lax.scatter_sub, x[0])[0] + put(lax.scatter_mul, x[1])[1]
            row = row + put(lax.scatter_min, x[0])[0] + put(lax.scatter_max, x[1])[1]
            c = lax.scatter_add(c, i[None], row, dimensions)
            return lax.scatter_apply(c, i[None], lambda e: e * 0.5, dimensions, update_shape=(2,)), row.sum()

        c, rows = lax.scan(body, x, jnp.arange(2))
        return c.sum() + rows.max()

    return loss(2.0), jax.jit(lambda s: loss(s) * s)(0.5)


result = case(jnp.linspace(0.1, 0.5, 4).reshape(2, 2))
