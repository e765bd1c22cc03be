import jax
import jax.numpy as jnp
from jax import lax


def case(x, y):
    def f(a, b):
        def g(c):
            # fault: c @ jnp.ones(11)
            return jnp.sum(c**3) * b[0] + y[1]

        return lax.cond(a[0] > 0, g, lambda c: g(c) * 2.0, a) * b.sum()

    return jax.hessian(f, argnums=(0, 1))(x, y)


result = case(jnp.linspace(0.5, 1.0, 2), jnp.linspace(1.0, 2.0, 2))
