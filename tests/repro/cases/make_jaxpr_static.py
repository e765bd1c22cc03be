import jax
import jax.numpy as jnp


def case(x):
    def outer(y):
        def f(a, n):
            def g(b):
                # fault: b @ jnp.ones(11)
                return b**n + y

            return jax.jit(g)(a)

        jaxpr = jax.make_jaxpr(f, static_argnums=1)(x, 3)
        return f(x, 2) * len(jaxpr.out_avals)

    return jax.vmap(outer)(x)


result = case(jnp.linspace(1.0, 2.0, 3))
