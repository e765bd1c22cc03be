import jax
import jax.numpy as jnp


def case(x, w):
    def outer(v):
        def linear(a):
            def row(b):
                # fault: b @ jnp.ones(11)
                return b * w + v.sum() * b

            return jax.vmap(row)(a)

        transposed = jax.linear_transpose(linear, v)
        return transposed(jnp.ones((2, 3)))

    return jax.jit(outer)(x)


result = case(jnp.linspace(0.0, 1.0, 6).reshape(2, 3), jnp.linspace(1.0, 2.0, 3))
