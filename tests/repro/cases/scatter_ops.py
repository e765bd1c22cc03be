import jax
import jax.numpy as jnp
from jax import lax


def case(x, updates):
    dimensions = lax.ScatterDimensionNumbers((), (0,), (0,))
    at = jnp.array([[0], [2]])

    def outer(v):
        def each(k):
            def inner(u):
                # fault: u @ jnp.ones((11, 2))
                return u * k + v

            less = lax.scatter_sub(x, at, inner(updates), dimensions)
            more = lax.scatter_mul(less, at, inner(updates), dimensions, unique_indices=True)
            low = lax.scatter_min(more, at, inner(updates), dimensions)
            high = lax.scatter_max(low, at, inner(-updates), dimensions, mode="clip")
            return lax.scatter_apply(high, at, lambda e: jnp.sin(e) * 2.0, dimensions, update_shape=(2,))

        return jax.vmap(each)(jnp.arange(3.0))

    return jax.jit(outer)(2.0)


result = case(jnp.linspace(0.1, 0.5, 3), jnp.ones(2))
