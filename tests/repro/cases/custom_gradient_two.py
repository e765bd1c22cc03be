import jax
import jax.numpy as jnp
from jax import lax


def case(x, y):
    @jax.custom_gradient
    def product(a, b):
        return a * b, lambda g: (g * b * 3.0, g * a)

    def outer(c):
        def inner(u):
            # fault: u @ jnp.ones(11)
            return product(u, c).sum() + x.sum()

        return jax.jit(jax.grad(inner))(c)

    return lax.map(outer, jnp.stack([x, y]))


result = case(jnp.linspace(0.0, 1.0, 3), jnp.linspace(1.0, 2.0, 3))
