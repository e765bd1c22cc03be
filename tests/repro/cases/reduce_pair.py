import jax
import jax.numpy as jnp
from jax import lax


def case(x, y):
    def outer(v):
        def pick(a, b):
            # fault: a[0] @ jnp.ones(11)
            better = a[0] > b[0]
            return jnp.where(better, a[0], b[0]), jnp.where(better, a[1], b[1])

        return lax.reduce((v, y), (-jnp.inf, 0), pick, (1,))

    def scaled(k):
        return jax.jit(outer)(x * k)

    return lax.map(scaled, jnp.array([1.0, -1.0]))


result = case(jnp.linspace(0.1, 0.5, 6).reshape(2, 3), jnp.arange(6).reshape(2, 3))
