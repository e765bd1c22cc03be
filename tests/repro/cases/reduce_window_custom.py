import jax
import jax.numpy as jnp
from jax import lax


def case(x):
    def outer(v):
        def inner(k):
            def add(a, b):
                # fault: a @ jnp.ones(11)
                return lax.max(a, b)

            return lax.reduce_window(v * k, -jnp.inf, add, (2,), (1,), "VALID")

        return jax.vmap(inner)(jnp.array([1.0, 2.0]))

    return jax.jit(outer)(x)


result = case(jnp.linspace(0.1, 0.5, 5))
