import jax
import jax.numpy as jnp


def case(x):
    def outer(v):
        def cell(i, j):
            def inner(a):
                # fault: a @ jnp.ones((2, 11))
                return a * v.sum()

            return inner(i) + j * x[0, 0]

        return jnp.fromfunction(cell, (2, 3))

    return jax.vmap(outer)(x)


result = jax.jit(case)(jnp.linspace(0.1, 0.5, 6).reshape(2, 3))
