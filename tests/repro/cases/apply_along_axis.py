import jax
import jax.numpy as jnp


def case(x, w):
    def outer(v):
        def norm(row, k):
            def scale(a):
                # fault: a @ jnp.ones((2, 11))
                return a * w + v.sum()

            return scale(row) / jnp.sqrt((row**2).sum()) * k

        return jnp.apply_along_axis(norm, 1, v, 2.0)

    return jax.vmap(outer)(x)


result = jax.jit(case)(jnp.linspace(0.1, 0.5, 12).reshape(2, 2, 3), 2.0)
