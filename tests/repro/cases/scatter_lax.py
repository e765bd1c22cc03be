import jax
import jax.numpy as jnp
from jax import lax


def case(x, updates):
    dimensions = lax.ScatterDimensionNumbers((), (0,), (0,))

    def loss(w):
        def inner(u):
            # fault: u @ jnp.ones((11, 2))
            return lax.scatter_add(x, jnp.array([[0], [2]]), u * w, dimensions, mode="drop")

        return inner(updates).sum() + jax.vmap(lambda k: inner(updates * k).max())(jnp.arange(2.0)).sum()

    return jax.jit(jax.grad(loss))(2.0)


result = case(jnp.linspace(0.1, 0.5, 3), jnp.ones(2))
