import jax
import jax.numpy as jnp


def case(x):
    def outer(v):
        def reduce(a, axis):
            def inner(b):
                # fault: b @ jnp.ones((2, 11))
                return b * v.sum()

            return inner(a).sum(axis, keepdims=True)

        return jnp.apply_over_axes(reduce, v, (0, 1))

    return jax.vmap(outer)(x)


result = jax.jit(case)(jnp.linspace(0.1, 0.5, 12).reshape(2, 2, 3))
