import jax
import jax.numpy as jnp


def case(x, y):
    def outer(v):
        def add(a, b):
            # fault: a @ jnp.ones((2, 11))
            return a + b * 2

        ufunc = jnp.frompyfunc(add, 2, 1, identity=0)
        return ufunc(v, y), ufunc.reduce(v), ufunc.outer(v, y)

    return jax.vmap(outer)(x)


result = jax.jit(case)(jnp.arange(6).reshape(2, 3), jnp.arange(3))
