import jax
import jax.numpy as jnp


def case(x):
    def outer(v):
        def inner(k):
            ufunc = jnp.frompyfunc(lambda a, b: a * b + 1, 2, 1)
            # fault: k @ jnp.ones((2, 11))
            return ufunc(v, k), ufunc.accumulate(v)

        return jax.vmap(inner)(v)

    return jax.jit(outer)(x)


result = case(jnp.arange(3))
