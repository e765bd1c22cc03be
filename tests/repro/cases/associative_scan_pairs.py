import jax
import jax.numpy as jnp
from jax import lax


def case(x, w):
    def outer(v):
        def combine(a, b):
            def mix(p, q):
                # fault: q @ jnp.ones(11)
                return p * q

            return mix(a[0], b[0]), jax.jit(mix)(a[1], b[0]) + b[1] + 0.0 * v.sum()

        return lax.associative_scan(combine, (v, v * w))

    return jax.vmap(outer)(x)


result = jax.jit(case)(jnp.linspace(0.1, 1.0, 8).reshape(2, 4), 2.0)
