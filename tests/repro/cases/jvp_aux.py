import jax
import jax.numpy as jnp
from jax import lax


def case(x):
    def outer(y):
        def f(a, b):
            def g(c):
                # fault: c @ jnp.ones(11)
                return c["k"] * b + y

            return g({"k": a}), a.sum()

        return jax.jvp(f, (x, y), (jnp.ones_like(x), jnp.zeros_like(y)), has_aux=True)

    return lax.map(outer, jnp.arange(3.0))


result = case(jnp.linspace(0.0, 1.0, 3))
