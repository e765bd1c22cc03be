import jax
import jax.numpy as jnp


def case(x, w):
    def outer(v):
        @jax.custom_gradient
        def f(a):
            y = jnp.sin(a)

            def back(g):
                # fault: g @ jnp.ones(11)
                return g * y * 2.0

            return y, back

        return jax.grad(lambda a: (f(a) * w).sum())(v)

    return jax.vmap(outer)(x)


result = jax.jit(case)(jnp.linspace(0.0, 1.0, 6).reshape(2, 3), jnp.linspace(1.0, 2.0, 3))
