import jax
import jax.numpy as jnp


def case(x):
    def outer(v):
        def low(a, k):
            # fault: a @ jnp.ones((2, 11))
            return a * k + v.sum()

        return jnp.piecewise(v, [v < 0.2], [low, lambda a, k: a - k], 3.0)

    return jax.vmap(jax.jit(outer))(x)


result = case(jnp.linspace(0.1, 0.5, 6).reshape(2, 3))
