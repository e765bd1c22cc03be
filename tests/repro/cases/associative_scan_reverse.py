import jax
import jax.numpy as jnp
from jax import lax


def case(x):
    def loss(w):
        def inner(a, b):
            # fault: a @ jnp.ones(11)
            return a * b * w

        return lax.associative_scan(inner, x, reverse=True, axis=1).sum()

    return jax.jit(jax.grad(loss))(1.1), jax.vmap(loss)(jnp.array([1.0, 2.0]))


result = case(jnp.linspace(0.5, 1.0, 8).reshape(2, 4))
