import jax
import jax.numpy as jnp


def case(x):
    def f(y):
        def g(z):
            def h(t):
                # fault: jnp.full((2, 3), t) @ jnp.ones(11)
                return jnp.sin(t * z) * y

            return jax.grad(h)(z * x)

        return jax.grad(g)(y)

    return jax.grad(f)(x)


result = case(0.7)
